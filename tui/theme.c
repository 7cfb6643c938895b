/* The tables of colours, and their resolution for a terminal. */
#include "tui/theme.h"

#include <string.h>

#include "base/intern.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define NONE COLOUR_DEFAULT
#define BOLD ATTR_BOLD
#define REV ATTR_REVERSE
#define UNDER ATTR_UNDERLINE
#define DIM ATTR_DIM

/* The basic palette, numbered as terminals do. */
enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

/* One row a meaning: 256 colours on a dark and on a light background, 8 colours, none. */
struct look {
	struct style dark, light, basic, mono;
};

static const struct look looks[STYLE_COUNT] = {
	[STYLE_TEXT] = {{250, NONE, 0}, {237, NONE, 0}, {NONE, NONE, 0}, {NONE, NONE, 0}},
	[STYLE_BRIGHT] = {{231, NONE, BOLD},
			  {16, NONE, BOLD},
			  {NONE, NONE, BOLD},
			  {NONE, NONE, BOLD}},
	[STYLE_DIM] = {{245, NONE, 0}, {242, NONE, 0}, {NONE, NONE, 0}, {NONE, NONE, 0}},
	[STYLE_FAINT] = {{240, NONE, 0}, {248, NONE, 0}, {NONE, NONE, DIM}, {NONE, NONE, DIM}},
	[STYLE_BAR] = {{250, 236, 0}, {237, 254, 0}, {WHITE, BLUE, 0}, {NONE, NONE, REV}},
	[STYLE_BAR_BRIGHT] = {{231, 236, BOLD},
			      {16, 254, BOLD},
			      {WHITE, BLUE, BOLD},
			      {NONE, NONE, REV | BOLD}},
	[STYLE_BAR_NAME] = {{223, 236, 0}, {94, 254, 0}, {YELLOW, BLUE, BOLD}, {NONE, NONE, REV}},
	[STYLE_BAR_KEY] = {{223, 236, BOLD},
			   {94, 254, BOLD},
			   {YELLOW, BLUE, BOLD},
			   {NONE, NONE, REV | BOLD}},
	[STYLE_BAR_DIM] = {{245, 236, 0}, {242, 254, 0}, {WHITE, BLUE, 0}, {NONE, NONE, REV}},
	[STYLE_LIVE] = {{114, 236, 0}, {28, 254, 0}, {GREEN, BLUE, BOLD}, {NONE, NONE, REV}},
	[STYLE_HELD] = {{214, 236, BOLD},
			{130, 254, BOLD},
			{BLACK, YELLOW, 0},
			{NONE, NONE, REV | BOLD}},
	[STYLE_TAB] = {{245, NONE, 0}, {242, NONE, 0}, {NONE, NONE, 0}, {NONE, NONE, 0}},
	[STYLE_TAB_ON] = {{231, 238, BOLD},
			  {16, 252, BOLD},
			  {NONE, NONE, BOLD | UNDER},
			  {NONE, NONE, BOLD | UNDER}},
	[STYLE_TAB_FOCUS] = {{16, 252, BOLD},
			     {231, 238, BOLD},
			     {NONE, NONE, BOLD | REV},
			     {NONE, NONE, BOLD | REV}},
	[STYLE_HEADING] = {{245, NONE, 0}, {242, NONE, 0}, {NONE, NONE, BOLD}, {NONE, NONE, BOLD}},
	[STYLE_HEADING_FOCUS] = {{16, 252, BOLD},
				 {231, 238, BOLD},
				 {NONE, NONE, BOLD | REV},
				 {NONE, NONE, BOLD | REV}},
	[STYLE_LINE] = {{231, 238, BOLD}, {16, 252, BOLD}, {BLACK, WHITE, 0}, {NONE, NONE, REV}},
	[STYLE_LINE_OFF] = {{231, 236, 0}, {16, 254, 0}, {NONE, NONE, BOLD}, {NONE, NONE, UNDER}},
	[STYLE_SELECTED] = {{16, 231, BOLD},
			    {231, 16, BOLD},
			    {BLACK, WHITE, 0},
			    {NONE, NONE, REV | BOLD}},
	[STYLE_RANGE] = {{214, NONE, BOLD},
			 {130, NONE, BOLD},
			 {YELLOW, NONE, BOLD},
			 {NONE, NONE, BOLD}},
	[STYLE_MARK_A] = {{45, NONE, BOLD},
			  {25, NONE, BOLD},
			  {CYAN, NONE, BOLD},
			  {NONE, NONE, BOLD}},
	[STYLE_MARK_B] = {{214, NONE, BOLD},
			  {130, NONE, BOLD},
			  {YELLOW, NONE, BOLD},
			  {NONE, NONE, BOLD}},
	[STYLE_EVENT] = {{213, NONE, BOLD},
			 {90, NONE, BOLD},
			 {MAGENTA, NONE, BOLD},
			 {NONE, NONE, BOLD}},
	[STYLE_CURSOR] = {{16, 231, BOLD}, {231, 16, BOLD}, {BLACK, WHITE, 0}, {NONE, NONE, REV}},
	[STYLE_METER] = {{231, 60, 0}, {16, 189, 0}, {WHITE, BLUE, 0}, {NONE, NONE, REV}},
	[STYLE_CHIP] = {{16, 179, 0}, {231, 94, 0}, {BLACK, YELLOW, 0}, {NONE, NONE, REV}},
	[STYLE_ERROR] = {{231, 124, BOLD},
			 {231, 124, BOLD},
			 {WHITE, RED, BOLD},
			 {NONE, NONE, REV | BOLD}},
	[STYLE_BOX] = {{250, 235, 0}, {237, 255, 0}, {NONE, NONE, 0}, {NONE, NONE, 0}},
	[STYLE_BOX_HEAD] = {{231, 238, BOLD},
			    {16, 252, BOLD},
			    {WHITE, BLUE, BOLD},
			    {NONE, NONE, REV}},
	[STYLE_FOLDED] = {{245, 236, 0}, {245, 254, 0}, {NONE, NONE, DIM}, {NONE, NONE, DIM}},
	[STYLE_MORE] = {{208, NONE, BOLD},
			{166, NONE, BOLD},
			{YELLOW, NONE, BOLD},
			{NONE, NONE, BOLD}},
	[STYLE_LESS] = {{75, NONE, BOLD}, {26, NONE, BOLD}, {BLUE, NONE, BOLD}, {NONE, NONE, BOLD}},
};

static const char *const glyphs[GLYPH_COUNT][2] = {
	[GLYPH_RULE] = {"│", "|"},    [GLYPH_LINE] = {"─", "-"},   [GLYPH_EDGE] = {"▕", "|"},
	[GLYPH_UNDER] = {"▁", "_"},   [GLYPH_GAP] = {"╱", "/"},    [GLYPH_IDLE] = {"·", "."},
	[GLYPH_PARTIAL] = {"▒", ":"}, [GLYPH_CURSOR] = {"▄", "^"}, [GLYPH_EVENT] = {"◆", "!"},
	[GLYPH_KIND] = {"■", "#"},    [GLYPH_OPEN] = {"▾", "-"},   [GLYPH_CLOSED] = {"▸", "+"},
	[GLYPH_LIVE] = {"●", "*"},    [GLYPH_HELD] = {"‖", "="},   [GLYPH_JOIN] = {" › ", " > "},
	[GLYPH_ARROW] = {"→", "->"},  [GLYPH_DASH] = {"–", "-"},   [GLYPH_DOTS] = {"…", ".."},
	[GLYPH_DOWN] = {"↓", "v"},    [GLYPH_UP] = {"↑", "^"},
};

/* Cool to warm with lightness rising (falling on a light background): read in grey and under
 * deuteranopia, too. `ink` is where text on it turns from the first to the second colour. */
struct heat_scale {
	int16_t colour[HEAT_LEVELS];
	int16_t ink[2];
	int turn;
};
static const struct heat_scale heat_dark = {{17, 55, 91, 126, 161, 203, 214, 227}, {231, 16}, 5};
static const struct heat_scale heat_light = {{230, 222, 215, 209, 203, 160, 124, 52}, {16, 231}, 5};
static const struct heat_scale heat_classic = {{17, 19, 27, 34, 40, 226, 214, 196}, {231, 16}, 3};
static const int16_t heat_basic[4] = {BLUE, MAGENTA, RED, YELLOW};
static const char *const bars[2][HEAT_LEVELS] = {
	{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	{".", ":", "-", "=", "+", "*", "#", "@"},
};

/* Background and ink of a kind's boxes, and the colour of its names on a light background;
 * on a dark one that is the box's. */
static const struct {
	int16_t box, ink, light, basic;
} kinds[KIND_COUNT] = {
	[KIND_NATIVE] = {109, 16, 24, CYAN},     [KIND_PYTHON] = {179, 16, 94, YELLOW},
	[KIND_KERNEL] = {132, 231, 89, MAGENTA}, [KIND_JIT] = {143, 16, 58, GREEN},
	[KIND_INLINE] = {66, 231, 23, BLUE},     [KIND_UNKNOWN] = {243, 231, 241, WHITE},
};

/* Less, from much to little; same; more, from little to much. */
static const struct {
	int16_t box, ink, basic;
	uint16_t attr;
} diffs[2 * DIFF_LEVELS + 1] = {
	{26, 231, BLUE, UNDER}, {33, 231, BLUE, 0}, {110, 16, CYAN, 0},    {242, 231, NONE, 0},
	{215, 16, YELLOW, 0},   {208, 16, RED, 0},  {202, 16, RED, UNDER},
};

static const int16_t palette_256[PALETTE_SIZE] = {67, 72, 101, 109, 132, 137, 138, 143, 173, 179};
static const int16_t palette_basic[] = {CYAN, YELLOW, MAGENTA, GREEN, BLUE, WHITE};

static void init_heat(struct theme *t)
{
	const struct heat_scale *scale = t->id == THEME_LIGHT     ? &heat_light
					 : t->id == THEME_CLASSIC ? &heat_classic
								  : &heat_dark;
	for (int i = 0; i < HEAT_LEVELS; i++) {
		struct heat_look *look = &t->heat[i];
		int16_t c = t->depth == DEPTH_256 ? scale->colour[i] : heat_basic[i / 2];
		if (t->depth == DEPTH_256) {
			look->style = (struct style){scale->ink[i >= scale->turn], c, 0};
			look->ink = (struct style){scale->ink[i >= scale->turn], c, BOLD};
			look->glyph = " ";
		} else {
			look->style = (struct style){t->depth == DEPTH_BASIC ? c : NONE, NONE, 0};
			look->ink = (struct style){NONE, NONE, BOLD};
			look->glyph = bars[t->ascii][i];
		}
	}
}

static void init_kinds(struct theme *t)
{
	bool light = t->id == THEME_LIGHT;
	for (int k = 0; k < KIND_COUNT; k++) {
		if (t->depth == DEPTH_256) {
			t->kind_box[k] = (struct style){kinds[k].ink, kinds[k].box, 0};
			t->kind_text[k] =
				(struct style){light ? kinds[k].light : kinds[k].box, NONE, 0};
		} else if (t->depth == DEPTH_BASIC) {
			t->kind_box[k] = (struct style){kinds[k].basic == BLUE ? WHITE : BLACK,
							kinds[k].basic, 0};
			t->kind_text[k] =
				(struct style){k == KIND_UNKNOWN ? NONE : kinds[k].basic, NONE, 0};
		} else {
			t->kind_box[k] = t->kind_text[k] = (struct style){NONE, NONE, 0};
		}
	}
}

static void init_boxes(struct theme *t)
{
	for (size_t i = 0; i < COUNT(diffs); i++) {
		bool same = i == DIFF_LEVELS;
		if (t->depth == DEPTH_256)
			t->diff_box[i] = (struct style){diffs[i].ink, diffs[i].box, 0};
		else if (t->depth == DEPTH_BASIC && !same)
			t->diff_box[i] = (struct style){diffs[i].basic == BLUE ? WHITE : BLACK,
							diffs[i].basic, diffs[i].attr};
		else
			t->diff_box[i] = (struct style){NONE, NONE, same ? 0 : BOLD};
	}
	for (size_t i = 0; i < PALETTE_SIZE; i++) {
		if (t->depth == DEPTH_256)
			t->palette[i] = (struct style){16, palette_256[i], 0};
		else if (t->depth == DEPTH_BASIC)
			t->palette[i] =
				(struct style){BLACK, palette_basic[i % COUNT(palette_basic)], 0};
		else
			t->palette[i] = (struct style){NONE, NONE, 0};
	}
}

void theme_init(struct theme *t, enum theme_id id, enum depth depth, bool ascii)
{
	t->id = id;
	t->depth = id == THEME_MONOCHROME ? DEPTH_MONO : depth;
	t->ascii = ascii;
	for (int i = 0; i < STYLE_COUNT; i++) {
		const struct look *l = &looks[i];
		t->style[i] = t->depth == DEPTH_MONO    ? l->mono
			      : t->depth == DEPTH_BASIC ? l->basic
			      : id == THEME_LIGHT       ? l->light
							: l->dark;
	}
	for (int i = 0; i < GLYPH_COUNT; i++)
		t->glyph[i] = glyphs[i][ascii];
	init_heat(t);
	init_kinds(t);
	init_boxes(t);
}

static const char *const names[THEME_COUNT] = {
#define X(id, name) [id] = name,
	THEMES(X)
#undef X
};

const char *theme_name(enum theme_id id)
{
	return names[id];
}

int theme_parse(const char *name)
{
	for (int i = 0; i < THEME_COUNT; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

struct style theme_palette(const struct theme *t, const char *text)
{
	return t->palette[hash_bytes(text, strlen(text)) % PALETTE_SIZE];
}

struct style theme_diff(const struct theme *t, int level)
{
	int i = level + DIFF_LEVELS;
	return t->diff_box[i < 0 ? 0 : i > 2 * DIFF_LEVELS ? 2 * DIFF_LEVELS : i];
}
