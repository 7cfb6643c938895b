/* Curses: putting cells on the terminal and reading keys. */
#define NCURSES_WIDECHAR 1
#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/err.h"
#include "base/map64.h"
#include "base/mem.h"
#include "base/text.h"

enum {
	ESCAPE_MS = 25,   /* how long an ESC may be the start of a key's sequence */
	DEAD_READS = 3,   /* reads of nothing, though poll says there is, before it is the end */
	RESTORE_MAX = 256 /* bytes of the sequences that put the terminal back */
};

struct terminal {
	SCREEN *screen;
	FILE *in, *out;
	int fd;  /* keys come from it */
	int tty; /* /dev/tty where stdin is none; else -1 */
	bool ascii, mouse;
	struct cells shown;
	bool shown_any;
	struct map64 pairs; /* fg << 16 | bg -> pair */
	int next_pair, dead;
	struct sigaction old[NSIG];
};

/* What signal handlers need. Only they and term_open, term_close touch it. */
static struct {
	volatile sig_atomic_t active, quit, resized, resumed;
	int fd;
	struct termios saved;
	char restore[RESTORE_MAX];
	size_t restore_len;
} dying;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const int end_signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT,
				  SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE};

/* Only what a signal handler may call: write and tcsetattr. */
static void restore_now(void)
{
	if (!dying.active)
		return;
	dying.active = 0;
	ssize_t n = write(STDOUT_FILENO, dying.restore, dying.restore_len);
	(void)n;
	tcsetattr(dying.fd, TCSANOW, &dying.saved);
}

static void on_fatal(int sig)
{
	restore_now();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_end(int sig)
{
	(void)sig;
	dying.quit = 1;
}

static void on_resize(int sig)
{
	(void)sig;
	dying.resized = 1;
}

static void on_resume(int sig)
{
	(void)sig;
	dying.resumed = 1;
}

static void add_restore(const char *s)
{
	size_t n = s && s != (char *)-1 ? strlen(s) : 0;
	if (!n || dying.restore_len + n > RESTORE_MAX)
		return;
	memcpy(dying.restore + dying.restore_len, s, n);
	dying.restore_len += n;
}

/* Padding in a capability ($<5>) would be printed by write. */
static void add_capability(const char *name)
{
	const char *s = tigetstr(name);
	if (s && s != (char *)-1 && !strstr(s, "$<"))
		add_restore(s);
}

static void prepare_restore(const struct terminal *t)
{
	dying.restore_len = 0;
	if (t->mouse)
		add_restore("\033[?1006l\033[?1002l\033[?1000l");
	add_capability("sgr0");
	add_capability("op");
	add_capability("rmkx");
	add_capability("cnorm");
	add_capability("rmcup");
	dying.fd = t->fd;
}

static void catch (struct terminal *t, int sig, void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};
	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, &t->old[sig]);
	/* nohup's SIGHUP and a parent's ignored SIGINT stay ignored. */
	if (t->old[sig].sa_handler == SIG_IGN && handler == on_end)
		sigaction(sig, &t->old[sig], NULL);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void catch_signals(struct terminal *t)
{
	for (size_t i = 0; i < COUNT(fatal_signals); i++)
		catch (t, fatal_signals[i], on_fatal);
	for (size_t i = 0; i < COUNT(end_signals); i++)
		catch (t, end_signals[i], on_end);
	catch (t, SIGWINCH, on_resize);
	catch (t, SIGCONT, on_resume);
}

static void release_signals(struct terminal *t)
{
	for (size_t i = 0; i < COUNT(fatal_signals); i++)
		sigaction(fatal_signals[i], &t->old[fatal_signals[i]], NULL);
	for (size_t i = 0; i < COUNT(end_signals); i++)
		sigaction(end_signals[i], &t->old[end_signals[i]], NULL);
	sigaction(SIGWINCH, &t->old[SIGWINCH], NULL);
	sigaction(SIGCONT, &t->old[SIGCONT], NULL);
}

static void enter_modes(struct terminal *t)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	meta(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	leaveok(stdscr, FALSE);
	curs_set(0);
	set_escdelay(ESCAPE_MS);
	if (t->mouse) {
		mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED,
			  NULL);
		mouseinterval(0);
	}
}

static FILE *stream(int fd, const char *mode)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *f = copy >= 0 ? fdopen(copy, mode) : NULL;
	if (!f && copy >= 0)
		close(copy);
	return f;
}

static void free_term(struct terminal *t)
{
	if (t->in)
		fclose(t->in);
	if (t->out)
		fclose(t->out);
	if (t->tty >= 0)
		close(t->tty);
	cells_release(&t->shown);
	map64_free(&t->pairs);
	free(t);
}

static int open_streams(struct terminal *t, struct err *err)
{
	t->tty = -1;
	if (!isatty(STDOUT_FILENO))
		return err_set(err, ERR_FAILED, "stdout is no terminal; use --plain");
	if (!isatty(STDIN_FILENO)) {
		t->tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
		if (t->tty < 0)
			return err_set(
				err, ERR_FAILED,
				"stdin is no terminal and there is no /dev/tty; use --plain");
	}
	t->fd = t->tty >= 0 ? t->tty : STDIN_FILENO;
	t->in = stream(t->fd, "r");
	t->out = stream(STDOUT_FILENO, "w");
	if (!t->in || !t->out || tcgetattr(t->fd, &dying.saved) != 0)
		return err_set(err, ERR_FAILED, "cannot use the terminal: %s", strerror(errno));
	return 0;
}

int term_open(struct terminal **out, bool mouse, struct err *err)
{
	struct terminal *t = mem_zalloc(1, sizeof(*t));
	setlocale(LC_ALL, "");
	t->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	t->mouse = mouse;
	t->next_pair = 1;
	if (open_streams(t, err) != 0) {
		free_term(t);
		return -1;
	}
	const char *name = getenv("TERM");
	t->screen = newterm(NULL, t->out, t->in);
	const char *cup = t->screen ? tigetstr("cup") : NULL;
	if (!cup || cup == (char *)-1) {
		if (t->screen) {
			endwin();
			delscreen(t->screen);
		}
		err_set(err, ERR_FAILED,
			"the terminal type %s is unknown or too simple; set TERM, or use --plain",
			name && *name ? name : "(TERM is not set)");
		free_term(t);
		return -1;
	}
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	enter_modes(t);
	prepare_restore(t);
	catch_signals(t);
	dying.quit = dying.resized = dying.resumed = 0;
	dying.active = 1;
	atexit(restore_now);
	*out = t;
	return 0;
}

void term_close(struct terminal *t)
{
	release_signals(t);
	if (dying.active) {
		curs_set(1);
		endwin();
	}
	dying.active = 0;
	delscreen(t->screen);
	free_term(t);
}

enum depth term_depth(const struct terminal *t)
{
	(void)t;
	if (!has_colors() || COLORS < 8 || COLOR_PAIRS < 8)
		return DEPTH_MONO;
	return COLORS >= 256 && COLOR_PAIRS >= 256 ? DEPTH_256 : DEPTH_BASIC;
}

bool term_ascii(const struct terminal *t)
{
	return t->ascii;
}

void term_size(const struct terminal *t, int *cols, int *rows)
{
	(void)t;
	*cols = COLS;
	*rows = LINES;
}

/* The pair of two colours; 0, the terminal's own, where there are no more. */
static int pair_of(struct terminal *t, int fg, int bg)
{
	if ((fg == COLOUR_DEFAULT && bg == COLOUR_DEFAULT) || !has_colors())
		return 0;
	uint64_t key = (uint64_t)(uint16_t)fg << 16 | (uint16_t)bg;
	uint32_t known = map64_get(&t->pairs, key, 0);
	if (known)
		return (int)known;
	if (t->next_pair >= COLOR_PAIRS || init_extended_pair(t->next_pair, fg, bg) == ERR)
		return 0;
	*map64_at(&t->pairs, key, 0) = (uint32_t)t->next_pair;
	return t->next_pair++;
}

static attr_t attributes(uint16_t attr)
{
	attr_t a = A_NORMAL;
	if (attr & ATTR_BOLD)
		a |= A_BOLD;
	if (attr & ATTR_UNDERLINE)
		a |= A_UNDERLINE;
	if (attr & ATTR_REVERSE)
		a |= A_REVERSE;
	if (attr & ATTR_DIM)
		a |= A_DIM;
	return a;
}

static void emit(struct terminal *t, const struct cell *cell, int x, int y)
{
	wchar_t text[CCHARW_MAX + 1];
	size_t n = strlen(cell->text), i = 0, count = 0, used;
	while (i < n && count < CCHARW_MAX - 1) {
		int32_t c = text_decode(cell->text + i, n - i, &used);
		text[count++] = c < ' ' ? L' ' : (wchar_t)c;
		i += used;
	}
	text[count] = L'\0';
	/* The C library may think less of a character's width than text_char_width does. */
	if (count && wcwidth(text[0]) != cell->width)
		text[0] = L'?', text[1] = L'\0';
	cchar_t out;
	int pair = pair_of(t, cell->style.fg, cell->style.bg);
	if (setcchar(&out, text, attributes(cell->style.attr), 0, &pair) != ERR)
		mvadd_wch(y, x, &out);
	if (cell->width == 2 && wcwidth(text[0]) != 2)
		mvaddch(y, x + 1, ' ');
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->width == b->width && style_equal(a->style, b->style) &&
	       strcmp(a->text, b->text) == 0;
}

static void remember(struct terminal *t, const struct cells *c)
{
	if (!t->shown_any || t->shown.w != c->w || t->shown.h != c->h) {
		cells_release(&t->shown);
		cells_init(&t->shown, c->w, c->h, c->ascii);
		t->shown_any = true;
	}
	memcpy(t->shown.at, c->at, (size_t)c->w * (size_t)c->h * sizeof(*c->at));
	t->shown.cursor_x = c->cursor_x;
	t->shown.cursor_y = c->cursor_y;
}

void term_show(struct terminal *t, const struct cells *c, bool all)
{
	bool fresh = all || !t->shown_any || t->shown.w != c->w || t->shown.h != c->h;
	bool changed =
		fresh || t->shown.cursor_x != c->cursor_x || t->shown.cursor_y != c->cursor_y;
	if (fresh)
		erase();
	for (int y = 0; y < c->h && y < LINES; y++) {
		for (int x = 0; x < c->w && x < COLS; x++) {
			size_t i = (size_t)y * (size_t)c->w + (size_t)x;
			if (c->at[i].width == 0 ||
			    (!fresh && same_cell(&c->at[i], &t->shown.at[i])))
				continue;
			emit(t, &c->at[i], x, y);
			changed = true;
		}
	}
	if (!changed)
		return;
	if (all)
		clearok(curscr, TRUE);
	curs_set(c->cursor_x >= 0);
	if (c->cursor_x >= 0)
		move(c->cursor_y, c->cursor_x);
	refresh();
	remember(t, c);
}

static bool ask_size(void)
{
	struct winsize ws;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) != 0 || !ws.ws_row || !ws.ws_col)
		return false;
	if (ws.ws_row == LINES && ws.ws_col == COLS)
		return false;
	resizeterm(ws.ws_row, ws.ws_col);
	return true;
}

static const struct {
	int curses;
	int32_t key;
} special[] = {
	{KEY_UP, KEY_CODE_UP},       {KEY_DOWN, KEY_CODE_DOWN},     {KEY_LEFT, KEY_CODE_LEFT},
	{KEY_RIGHT, KEY_CODE_RIGHT}, {KEY_SLEFT, KEY_CODE_SLEFT},   {KEY_SRIGHT, KEY_CODE_SRIGHT},
	{KEY_HOME, KEY_CODE_HOME},   {KEY_END, KEY_CODE_END},       {KEY_PPAGE, KEY_CODE_PGUP},
	{KEY_NPAGE, KEY_CODE_PGDN},  {KEY_DC, KEY_CODE_DEL},        {KEY_BTAB, KEY_CODE_BACKTAB},
	{KEY_BACKSPACE, KEY_BACK},   {KEY_ENTER, KEY_RETURN},       {KEY_F(1), KEY_CODE_F1},
	{KEY_F(3), KEY_CODE_F3},     {KEY_F(4), KEY_CODE_F4},       {KEY_F(5), KEY_CODE_F5},
	{KEY_F(10), KEY_CODE_F10},   {KEY_RESIZE, KEY_CODE_RESIZE},
};

static int32_t read_mouse(struct mouse *m)
{
	MEVENT e;
	if (getmouse(&e) != OK)
		return KEY_CODE_NONE;
	*m = (struct mouse){e.x, e.y, MOUSE_PRESS};
	if (e.bstate & BUTTON1_PRESSED)
		m->kind = MOUSE_PRESS;
	else if (e.bstate & BUTTON1_RELEASED)
		m->kind = MOUSE_RELEASE;
	else if (e.bstate & BUTTON4_PRESSED)
		m->kind = MOUSE_WHEEL_UP;
	else if (e.bstate & BUTTON5_PRESSED)
		m->kind = MOUSE_WHEEL_DOWN;
	else
		return KEY_CODE_NONE;
	return KEY_CODE_MOUSE;
}

static int32_t translate(int kind, wint_t c, struct mouse *mouse)
{
	if (kind == OK)
		return c == '\n' ? KEY_RETURN : (int32_t)c;
	if (c == KEY_MOUSE)
		return read_mouse(mouse);
	for (size_t i = 0; i < COUNT(special); i++)
		if ((int)c == special[i].curses)
			return special[i].key;
	return KEY_CODE_NONE;
}

static int32_t signalled(void)
{
	if (dying.quit)
		return KEY_CODE_EOF;
	if (dying.resumed) {
		dying.resumed = 0;
		ask_size();
		/* Whoever had the terminal meanwhile may have left it otherwise. */
		reset_prog_mode();
		return KEY_CODE_REDRAW;
	}
	if (dying.resized) {
		dying.resized = 0;
		return ask_size() ? KEY_CODE_RESIZE : KEY_CODE_NONE;
	}
	return KEY_CODE_NONE;
}

bool term_pending(const struct terminal *t)
{
	struct pollfd p = {.fd = t->fd, .events = POLLIN};
	return dying.quit || dying.resized || dying.resumed || poll(&p, 1, 0) > 0;
}

int32_t term_key(struct terminal *t, int ms, struct mouse *mouse)
{
	int32_t signal_key = signalled();
	if (signal_key != KEY_CODE_NONE)
		return signal_key;
	wint_t c;
	int kind = get_wch(&c);
	if (kind != ERR)
		return translate(kind, c, mouse);
	struct pollfd p = {.fd = t->fd, .events = POLLIN};
	int n = poll(&p, 1, ms);
	if (n <= 0)
		return signalled();
	if (p.revents & POLLIN)
		kind = get_wch(&c);
	if (kind != ERR) {
		t->dead = 0;
		return translate(kind, c, mouse);
	}
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return KEY_CODE_EOF;
	return ++t->dead >= DEAD_READS ? KEY_CODE_EOF : KEY_CODE_NONE;
}

void term_suspend(struct terminal *t)
{
	endwin();
	dying.active = 0;
	raise(SIGSTOP);
	dying.active = 1;
	dying.resumed = 0;
	ask_size();
	refresh();
	enter_modes(t);
	prepare_restore(t);
}
