/** A change of one file: the first text becomes the second. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A pull request on the app of this folder, with what must be found. */
export interface Pair {
  readonly name: string;
  readonly kind: "slower" | "faster" | "same";
  /** Functions of which the first finding must name one: the guilty one, or the helper that it got. */
  readonly guilty: readonly string[];
  /** Of the app, in each arm. */
  readonly base: readonly Edit[];
  readonly head: readonly Edit[];
  /** Version of a library that each arm locks beside what the app needs; absent: the app needs none. */
  readonly locks?: Readonly<Record<"base" | "head", string>>;
}

const comments: Edit = {
  file: "pricing.py",
  from: '"""What things cost."""',
  to: '"""What things cost, in cents and in the customer\'s currency."""',
};
const renamed: Edit = {
  file: "pricing.py",
  from: "    whole = 0.0\n    for item in items:\n        whole += quote(item)\n    return round(whole, 2)",
  to: "    amount = 0.0\n    for each in items:\n        amount += quote(each)\n    return round(amount, 2)",
};
const currency: Edit = {
  file: "settings.py",
  from: 'CURRENCY = "EUR"',
  to: 'CURRENCY = "EUR"\nCOUNTRY = "DE"',
};
const comprehension: Edit = {
  file: "rows.py",
  from: "    rows = []\n    for item in items:\n        rows.append(row_of(item))\n    return rows",
  to: "    return [row_of(item) for item in items]",
};
const typed: Edit = {
  file: "catalog.py",
  from: "def weight_of(item):",
  to: "def weight_of(item: dict) -> float:",
};
const helper: Edit = {
  file: "pricing.py",
  from: '    price = discount(item["cents"])\n    return round(price + tax(price), 2)',
  to: '    return with_tax(discount(item["cents"]))\n\n\ndef with_tax(price):\n    return round(price + tax(price), 2)',
};
const mark: Edit = {
  file: "stamp.py",
  from: "    return str(len(path)).encode()",
  to: '    return f"{len(path)}".encode()',
};

/** What stands beside the guilty change and costs nothing. */
const harmless = [comments, renamed, currency, typed, mark] as const;

interface Guilt {
  readonly name: string;
  readonly guilty: readonly string[];
  readonly edits: readonly Edit[];
}

const guilt: readonly Guilt[] = [
  {
    name: "cache dropped",
    guilty: ["slug"],
    edits: [{ file: "catalog.py", from: "@lru_cache(maxsize=None)\n", to: "" }],
  },
  {
    name: "deep copy",
    guilty: ["find_items"],
    edits: [
      {
        file: "catalog.py",
        from: "    return ITEMS[:page]",
        to: "    return copy.deepcopy(ITEMS[: page // 3]) + ITEMS[page // 3 : page]",
      },
      { file: "catalog.py", from: "import re\n", to: "import copy\nimport re\n" },
    ],
  },
  {
    name: "middleware that hashes",
    guilty: ["mark_of"],
    edits: [
      {
        file: "stamp.py",
        from: "def mark_of(path):",
        to: "def mark_of(path):\n    digest = path.encode()\n    for _ in range(150):\n        digest = hashlib.sha256(digest).digest()",
      },
      { file: "stamp.py", from: '"""A middleware."""\n', to: '"""A middleware."""\n\nimport hashlib\n' },
    ],
  },
  {
    name: "validator",
    guilty: ["Row.name_is_clean"],
    edits: [
      {
        file: "models.py",
        from: "from pydantic import BaseModel",
        to: "from pydantic import BaseModel, field_validator",
      },
      {
        file: "models.py",
        from: "    tags: list[str]\n",
        to: '    tags: list[str]\n\n    @field_validator("name")\n    @classmethod\n    def name_is_clean(cls, value):\n        for letter in value:\n            if letter in "<>&":\n                raise ValueError("not clean")\n        return value\n',
      },
    ],
  },
  {
    name: "validated twice",
    guilty: ["rows_of"],
    edits: [
      {
        file: "rows.py",
        from: "        rows.append(row_of(item))",
        to: "        rows.append(Row.model_validate(row_of(item).model_dump()))",
      },
    ],
  },
  {
    name: "Decimal",
    guilty: ["tax"],
    edits: [
      {
        file: "pricing.py",
        from: "    return price * 0.19",
        to: '    return float((Decimal(str(price)) * Decimal("0.19")).quantize(Decimal("0.01")))',
      },
      { file: "pricing.py", from: "import settings", to: "from decimal import Decimal\n\nimport settings" },
    ],
  },
  {
    name: "logging",
    guilty: ["quote"],
    edits: [
      {
        file: "pricing.py",
        from: '    price = discount(item["cents"])',
        to: '    price = discount(item["cents"])\n    log.info("quoted %s for %s", item["name"], price)',
      },
      {
        file: "pricing.py",
        from: "import settings\n",
        to: 'import io\nimport logging\n\nimport settings\n\nlog = logging.getLogger("shop")\nlog.setLevel(logging.INFO)\nlog.propagate = False\nlog.addHandler(logging.StreamHandler(io.StringIO()))\n',
      },
    ],
  },
  {
    name: "sorting",
    guilty: ["find_items"],
    edits: [
      {
        file: "catalog.py",
        from: "    return ITEMS[:page]",
        to: '    by_size = sorted(ITEMS * 4, key=lambda item: (item["size"]["width"], item["cents"]))\n    return by_size and ITEMS[:page]',
      },
    ],
  },
  {
    name: "exceptions",
    guilty: ["weight_of"],
    edits: [
      {
        file: "catalog.py",
        from: '    return float(item["weight"])',
        to: '    for unit in ("kg", "g", "lb", "oz"):\n        try:\n            return float(item["weight"] + unit)\n        except ValueError:\n            continue\n    return float(item["weight"])',
      },
    ],
  },
  {
    name: "regular expression",
    guilty: ["row_of"],
    edits: [
      {
        file: "rows.py",
        from: '        slug=slug(item["name"]),',
        to: '        slug=re.sub(r"(?:[a-z]+[ .]*)+no", "no", slug(item["name"])),',
      },
      { file: "rows.py", from: "from catalog", to: "import re\n\nfrom catalog" },
    ],
  },
  {
    name: "constant far away",
    guilty: ["discount"],
    edits: [{ file: "settings.py", from: "ROUNDS = 40", to: "ROUNDS = 60" }],
  },
  {
    name: "called twice",
    guilty: ["discount", "quote", "tax", "row_of"],
    edits: [
      {
        file: "rows.py",
        from: "        price=quote(item),",
        to: "        price=min(quote(item), quote(item)),",
      },
    ],
  },
  {
    name: "allocations",
    guilty: ["rows_of"],
    edits: [
      {
        file: "rows.py",
        from: "    rows = []\n",
        to: "    rows = []\n    items = [{key: value for key, value in item.items()} for item in items for _ in range(8)][::8]\n",
      },
    ],
  },
  {
    name: "dependency in a thread",
    guilty: ["current_user"],
    edits: [{ file: "main.py", from: "async def current_user", to: "def current_user" }],
  },
];

/** The same the other way round. */
const fixedAgain = ["deep copy", "Decimal", "cache dropped", "validated twice", "sorting", "called twice"];

/** Rows are checked by a library, whose newer version takes longer for the same. */
const checked: readonly Edit[] = [
  {
    file: "catalog.py",
    from: "import re\nfrom functools import lru_cache\n",
    to: "import re\nfrom functools import lru_cache\n\nfrom jsonschema import Draft202012Validator\n",
  },
  {
    file: "catalog.py",
    from: "def find_items(page):\n    return ITEMS[:page]",
    to: 'SHAPE = Draft202012Validator(\n    {\n        "type": "object",\n        "required": ["name", "cents"],\n        "properties": {"name": {"type": "string"}, "cents": {"type": "integer", "minimum": 1}},\n    }\n)\n\n\ndef find_items(page):\n    items = ITEMS[:page]\n    for item in items:\n        SHAPE.validate(item)\n    return items',
  },
];
const newerLibrary: Pair = {
  name: "library version",
  kind: "slower",
  guilty: ["jsonschema", "find_items"],
  base: checked,
  head: [...checked, ...harmless],
  locks: { base: "jsonschema==4.17.3", head: "jsonschema==4.26.0" },
};

const sameCost: readonly (readonly [name: string, edits: readonly Edit[]])[] = [
  ["comments and names", [comments, renamed, currency]],
  ["comprehension", [comprehension, typed]],
  ["helper", [helper, mark]],
  ["all of it", [comments, currency, typed, mark, comprehension, helper]],
  ["other label", [{ file: "settings.py", from: 'LABEL = "Shop"', to: 'LABEL = "Store"' }, renamed]],
  [
    "health",
    [{ file: "main.py", from: '    return "fine"', to: '    return "well"' }, helper, comprehension],
  ],
];

export const pairs: readonly Pair[] = [
  ...guilt.map(
    ({ name, guilty, edits }): Pair => ({
      name,
      guilty,
      kind: "slower",
      base: [],
      head: [...harmless, ...edits],
    }),
  ),
  newerLibrary,
  ...guilt
    .filter(({ name }) => fixedAgain.includes(name))
    .map(
      ({ name, guilty, edits }): Pair => ({
        ...{ name: `fixed: ${name}`, guilty, kind: "faster", base: edits, head: harmless },
      }),
    ),
  ...sameCost.map(([name, head]): Pair => ({ name, kind: "same", guilty: [], base: [], head })),
];
