"""Block Kit's blocks and elements, as far as the bot or its local workspace shows them, as tables of rules.

The numbers are those of Slack's reference (docs.slack.dev/reference/block-kit) and of slack_sdk's models;
docs copies disagree here and there, then the smaller number stands. A name with "!" is a required field.
"""

from __future__ import annotations

from bot.slack.limits.rules import BlockRule, Bool, Items, Num, Obj, OrNull, Str, TypedObject

MAX_TEXT_OBJECT = 3_000
MAX_SECTION_TEXT = 3_000
MAX_FIELDS = 10
MAX_FIELD_TEXT = 2_000
MAX_HEADER = 150
MAX_CONTEXT_ELEMENTS = 10
MAX_ACTIONS = 25
MAX_CONTEXT_ACTIONS = 5
MAX_BUTTON_TEXT = 75
MAX_BUTTON_VALUE = 2_000
MAX_URL = 3_000
MAX_ID = 255  # block_id, action_id, callback_id, external_id
MAX_ALT_TEXT = 2_000
MAX_IMAGE_TITLE = 2_000
MAX_OPTIONS = 100
MAX_CHOICES = 10  # options of checkboxes and radio buttons
MAX_OVERFLOW = 5
MAX_OPTION_TEXT = 75
MAX_OPTION_VALUE = 150
MAX_PLACEHOLDER = 150
MAX_MARKDOWN = 12_000  # over all markdown blocks of a message
MAX_TABLE_ROWS = 100
MAX_TABLE_COLUMNS = 20
MAX_CHART_TITLE = 50
MAX_CHART_SERIES = 6
MAX_CHART_POINTS = 20
MAX_CHART_LABEL = 20

# texts

BOOL, ID, URL, WORD = Bool(), Str(MAX_ID), Str(MAX_URL), Str()


def plain(most: int) -> TypedObject:
    return TypedObject({"plain_text": Obj({"text!": Str(most), "emoji": BOOL})})


def mrkdwn_or_plain(most: int) -> TypedObject:
    mrkdwn = Obj({"text!": Str(most), "verbatim": BOOL})
    return TypedObject({**plain(most).table, "mrkdwn": mrkdwn})


STYLE = Obj(dict.fromkeys(("bold", "italic", "strike", "code", "underline", "highlight"), BOOL))
STYLED: dict[str, BlockRule] = {"style": STYLE}
LEAF = TypedObject(
    {
        "text": Obj({"text!": Str(), **STYLED}),
        "link": Obj({"url!": URL, "text": Str(), "unsafe": BOOL, **STYLED}),
        "user": Obj({"user_id!": Str(form="[UW][A-Z0-9]+"), **STYLED}),
        "channel": Obj({"channel_id!": Str(form="[CDG][A-Z0-9]+"), **STYLED}),
        "emoji": Obj({"name!": WORD, "skin_tone": Num(1, 6, whole=True), "unicode": WORD, **STYLED}),
        "broadcast": Obj({"range!": Str(one_of=("here", "channel", "everyone")), **STYLED}),
    }
)
BORDER = Num(0, 1, whole=True)
LEAVES = Items(LEAF, least=0)  # Slack takes an empty section
RICH_SECTION = Obj({"elements!": LEAVES})
RICH_TEXT = Obj(
    {
        "elements!": Items(
            TypedObject(
                {
                    "rich_text_section": RICH_SECTION,
                    "rich_text_preformatted": Obj({"elements!": LEAVES, "border": BORDER, "language": WORD}),
                    "rich_text_quote": Obj({"elements!": LEAVES, "border": BORDER}),
                    "rich_text_list": Obj(
                        {
                            "elements!": Items(TypedObject({"rich_text_section": RICH_SECTION})),
                            "style!": Str(one_of=("bullet", "ordered")),
                            "indent": Num(0, whole=True),
                            "offset": Num(0, whole=True),
                            "border": BORDER,
                        }
                    ),
                }
            )
        ),
        "block_id": ID,
    }
)
RICH = TypedObject({"rich_text": RICH_TEXT})

# objects

CONFIRM = Obj(
    {
        "title!": plain(100),
        "text!": mrkdwn_or_plain(300),
        "confirm!": plain(30),
        "deny!": plain(30),
        "style": Str(one_of=("primary", "danger")),
    }
)
OPTION_FIELDS: dict[str, BlockRule] = {"text!": plain(MAX_OPTION_TEXT), "value!": Str(MAX_OPTION_VALUE)}
OPTION = Obj({**OPTION_FIELDS, "description": plain(MAX_OPTION_TEXT)})
OVERFLOW_OPTION = Obj({**OPTION_FIELDS, "description": plain(MAX_OPTION_TEXT), "url": URL})
CHOICE = Obj(
    {
        "text!": mrkdwn_or_plain(MAX_OPTION_TEXT),
        "value!": Str(MAX_OPTION_VALUE),
        "description": mrkdwn_or_plain(MAX_OPTION_TEXT),
    }
)
OPTION_GROUP = Obj({"label!": plain(MAX_OPTION_TEXT), "options!": Items(OPTION, MAX_OPTIONS)})
IMAGE_SOURCE: dict[str, BlockRule] = {"image_url!": URL, "alt_text!": Str(MAX_ALT_TEXT)}
IMAGE_ELEMENT = Obj(IMAGE_SOURCE)
FEEDBACK_BUTTON = Obj(
    {
        "text!": plain(MAX_BUTTON_TEXT),
        "value!": Str(MAX_BUTTON_VALUE),
        "accessibility_label": Str(MAX_BUTTON_TEXT),
    }
)
FILTER_KINDS = Items(Str(one_of=("im", "mpim", "private", "public")))
FILTER_FLAGS = ("exclude_external_shared_channels", "exclude_bot_users")
FILTER = Obj({"include": FILTER_KINDS, **dict.fromkeys(FILTER_FLAGS, BOOL)}, any_of=("include", *FILTER_FLAGS))
DISPATCH = Obj({"trigger_actions_on!": Items(Str(one_of=("on_enter_pressed", "on_character_entered")), 2)})

# elements

ACTION: dict[str, BlockRule] = {"action_id": ID}
PICKED: dict[str, BlockRule] = {**ACTION, "confirm": CONFIRM, "focus_on_load": BOOL}
MENU: dict[str, BlockRule] = {**PICKED, "placeholder": plain(MAX_PLACEHOLDER)}
MANY: dict[str, BlockRule] = {**MENU, "max_selected_items": Num(1, whole=True)}
OPTIONS: dict[str, BlockRule] = {
    "options": Items(OPTION, MAX_OPTIONS),
    "option_groups": Items(OPTION_GROUP, MAX_OPTIONS),
}
TYPED_IN: dict[str, BlockRule] = {
    **ACTION,
    "placeholder": plain(MAX_PLACEHOLDER),
    "focus_on_load": BOOL,
    "dispatch_action_config": DISPATCH,
}
CONVERSATIONS: dict[str, BlockRule] = {"default_to_current_conversation": BOOL, "filter": FILTER}
DATE = Str(form=r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
BUTTON_STYLE = Str(one_of=("primary", "danger"))

ELEMENTS: dict[str, Obj] = {
    "button": Obj(
        {
            **ACTION,
            "text!": plain(MAX_BUTTON_TEXT),
            "value": Str(MAX_BUTTON_VALUE),
            "url": URL,
            "style": BUTTON_STYLE,
            "confirm": CONFIRM,
            "accessibility_label": Str(MAX_BUTTON_TEXT),
        }
    ),
    "feedback_buttons": Obj({**ACTION, "positive_button!": FEEDBACK_BUTTON, "negative_button!": FEEDBACK_BUTTON}),
    "image": IMAGE_ELEMENT,
    "overflow": Obj({**ACTION, "options!": Items(OVERFLOW_OPTION, MAX_OVERFLOW), "confirm": CONFIRM}),
    "checkboxes": Obj(
        {**PICKED, "options!": Items(CHOICE, MAX_CHOICES), "initial_options": Items(CHOICE, MAX_CHOICES)}
    ),
    "radio_buttons": Obj({**PICKED, "options!": Items(CHOICE, MAX_CHOICES), "initial_option": CHOICE}),
    "static_select": Obj({**MENU, **OPTIONS, "initial_option": OPTION}, just_one_of=("options", "option_groups")),
    "multi_static_select": Obj(
        {**MANY, **OPTIONS, "initial_options": Items(OPTION, MAX_OPTIONS)},
        just_one_of=("options", "option_groups"),
    ),
    "users_select": Obj({**MENU, "initial_user": WORD}),
    "conversations_select": Obj({**MENU, **CONVERSATIONS, "initial_conversation": WORD, "response_url_enabled": BOOL}),
    "datepicker": Obj({**MENU, "initial_date": DATE}),
    "plain_text_input": Obj(
        {
            **TYPED_IN,
            "initial_value": Str(3_000, least=0),
            "multiline": BOOL,
            "min_length": Num(0, 3_000, whole=True),
            "max_length": Num(1, 3_000, whole=True),
        }
    ),
}
SELECTS = tuple(name for name in ELEMENTS if name.endswith("_select"))
PICKERS = (*SELECTS, "checkboxes", "radio_buttons", "datepicker")
IN_SECTION = TypedObject(ELEMENTS, (*PICKERS, "button", "image", "overflow"))
IN_ACTIONS = TypedObject(ELEMENTS, (*PICKERS, "button", "overflow"))
INPUTS = tuple(name for name in ELEMENTS if name.endswith("_input"))
IN_INPUT = TypedObject(ELEMENTS, (*PICKERS, *INPUTS))
IN_CONTEXT = TypedObject({"image": IMAGE_ELEMENT, **mrkdwn_or_plain(MAX_TEXT_OBJECT).table})
IN_CONTEXT_ACTIONS = TypedObject(ELEMENTS, ("feedback_buttons",))

# blocks

BLOCK: dict[str, BlockRule] = {"block_id": ID}
RAW_TEXT = Obj({"text!": Str()})
CELLS: dict[str, Obj] = {"raw_text": RAW_TEXT, "rich_text": RICH_TEXT}
COLUMN = Obj({"align": Str(one_of=("left", "center", "right")), "is_wrapped": BOOL})
POINT = Obj({"label!": Str(MAX_CHART_LABEL), "value!": Num()})
SERIES = Obj({"name!": Str(MAX_CHART_LABEL), "data!": Items(POINT, MAX_CHART_POINTS)})
AXES = Obj(
    {
        "categories!": Items(Str(MAX_CHART_LABEL), MAX_CHART_POINTS),
        "x_label": Str(MAX_CHART_TITLE),
        "y_label": Str(MAX_CHART_TITLE),
    }
)
XY_CHART = Obj({"series!": Items(SERIES, MAX_CHART_SERIES), "axis_config!": AXES})
SEGMENT = Obj({"label!": Str(MAX_CHART_LABEL), "value!": Num(above=0)})
CHART = TypedObject(
    {
        **dict.fromkeys(("line", "bar", "area"), XY_CHART),
        "pie": Obj({"segments!": Items(SEGMENT, MAX_CHART_SERIES)}),
    }
)
TASK = Obj(
    {
        **BLOCK,
        "task_id!": WORD,
        "title!": WORD,
        "status!": Str(one_of=("pending", "in_progress", "complete", "error")),
        "details": RICH,
        "output": RICH,
        "sources": Items(TypedObject({"url": Obj({"url!": URL, "text!": WORD})}), least=0),
    }
)
SIMPLE_BLOCKS: dict[str, Obj] = {
    "section": Obj(
        {
            **BLOCK,
            "text": mrkdwn_or_plain(MAX_SECTION_TEXT),
            "fields": Items(mrkdwn_or_plain(MAX_FIELD_TEXT), MAX_FIELDS),
            "accessory": IN_SECTION,
            "expand": BOOL,
        },
        any_of=("text", "fields"),
    ),
    "header": Obj({**BLOCK, "text!": plain(MAX_HEADER), "level": Num(1, 4, whole=True)}),
    "context": Obj({**BLOCK, "elements!": Items(IN_CONTEXT, MAX_CONTEXT_ELEMENTS)}),
    "actions": Obj({**BLOCK, "elements!": Items(IN_ACTIONS, MAX_ACTIONS)}),
    "divider": Obj(BLOCK),
    "image": Obj({**BLOCK, **IMAGE_SOURCE, "title": plain(MAX_IMAGE_TITLE)}),
    "input": Obj(
        {
            **BLOCK,
            "label!": plain(2_000),
            "element!": IN_INPUT,
            "hint": plain(2_000),
            "optional": BOOL,
            "dispatch_action": BOOL,
        }
    ),
    "rich_text": RICH_TEXT,
    "table": Obj(
        {
            **BLOCK,
            "rows!": Items(Items(TypedObject(CELLS), MAX_TABLE_COLUMNS), MAX_TABLE_ROWS),
            "column_settings": Items(OrNull(COLUMN), MAX_TABLE_COLUMNS, least=0),
        }
    ),
}
BLOCKS: dict[str, Obj] = {
    **SIMPLE_BLOCKS,
    "markdown": Obj({**BLOCK, "text!": Str(MAX_MARKDOWN)}),
    "context_actions": Obj({**BLOCK, "elements!": Items(IN_CONTEXT_ACTIONS, MAX_CONTEXT_ACTIONS)}),
    "data_visualization": Obj({**BLOCK, "title!": Str(MAX_CHART_TITLE), "chart!": CHART}),
    "task_card": TASK,
}

# Where blocks may stand. Everything in SIMPLE_BLOCKS but the table may stand everywhere.
EVERYWHERE = tuple(name for name in SIMPLE_BLOCKS if name != "table")
IN_MESSAGE = TypedObject(BLOCKS)
IN_MODAL = TypedObject(BLOCKS, EVERYWHERE)
IN_HOME = TypedObject(BLOCKS, (*EVERYWHERE, "data_visualization"))
