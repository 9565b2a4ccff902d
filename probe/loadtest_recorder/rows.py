"""The rows that tests write through SQLAlchemy, as they are at each moment, also those that are never committed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from loadtest_recorder.literals import literal, quoted
from loadtest_recorder.notes import Notes
from loadtest_recorder.repeatable import count_again, seed

_MOST_ROWS = 2_000
_MOST_LOOKED_UP = 50
"""Rows that are read again after a statement that nobody but the database understands."""
_GONE = re.compile(
    r"^\s*(?:DROP\s+TABLE(?:\s+IF\s+EXISTS)?|TRUNCATE(?:\s+TABLE)?|DELETE\s+FROM)\s+([^;]+)", re.I
)
_CHANGES = re.compile(r"""^\s*UPDATE\s+(?:ONLY\s+)?([\w."]+)""", re.I)
_NAME = re.compile(r"[\w.]+")
_OF_SEVERAL = re.compile(r"(.+)_m(\d+)")

Key = tuple[str, tuple[Any, ...]]

_NAMELESS = "a row whose key is not known"


class Rows:
    """By table and primary key, in the order in which they were first written."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._rows: dict[Key, int] = {}
        self._tables: dict[str, Any] = {}
        self._written_as: dict[int, str] = {}
        self._undo: dict[int, list[tuple[Key, int | None]]] = {}  # by connection, since its last commit
        self._marks: dict[int, list[int]] = {}
        self._count = self._unknown = 0  # rows of which only their statement was seen
        self._is_flushing = self._is_new = False
        self._of_objects: set[str] = set()
        """Tables into which this flush writes the ORM's objects: `after_insert` knows more of them."""

    def there(self) -> list[int]:
        """Numbers of the rows that exist now."""
        return list(self._rows.values())[:_MOST_ROWS]

    def begin_test(self) -> None:
        seed(repr((sorted(map(repr, self._rows)), self._unknown)))
        self._is_new = not any(self._undo.values())  # otherwise rows that nobody else can see have numbers

    def watch(self) -> None:
        from sqlalchemy import event
        from sqlalchemy.engine import Engine
        from sqlalchemy.orm import Mapper, Session

        def on(target: Any, name: str) -> Callable[[Callable[..., Any]], None]:
            return lambda function: event.listen(target, name, _quiet(function))

        on(Mapper, "before_insert")(lambda mapper, *_: self._of_objects.update(map(str, mapper.tables)))
        on(Mapper, "after_insert")(self._written)
        on(Mapper, "after_update")(self._written)
        on(Mapper, "after_delete")(self._deleted)
        on(Engine, "commit")(lambda connection: self._forget(connection))
        on(Engine, "rollback")(lambda connection: self._undone(connection, 0))
        on(Engine, "savepoint")(
            lambda connection, _: self._marks_of(connection).append(self._length(connection))
        )
        on(Engine, "release_savepoint")(lambda connection, *_: self._marks_of(connection).pop())
        on(Engine, "rollback_savepoint")(
            lambda connection, *_: self._undone(connection, self._marks_of(connection).pop())
        )
        on(Engine, "before_cursor_execute")(self._executed)
        on(Engine, "after_execute")(self._inserted)
        on(Engine, "after_execute")(self._updated)
        on(Engine, "after_execute")(self._updated_by_text)
        on(Session, "before_flush")(lambda *_: self._flushing(True))
        on(Session, "after_flush")(lambda *_: self._flushing(False))
        on(Session, "after_soft_rollback")(lambda *_: self._flushing(False))

    def _flushing(self, is_flushing: bool) -> None:
        self._is_flushing = is_flushing
        self._of_objects.clear()

    def _written(self, mapper: Any, connection: Any, target: Any) -> None:
        from sqlalchemy import inspect

        state = inspect(target)
        for table in mapper.tables:
            values = {}
            for column in table.columns:
                try:
                    name = mapper.get_property_by_column(column).key
                except Exception:  # noqa: S112 - a column that the class leaves out
                    continue
                if name in state.dict:
                    values[column] = state.dict[name]
            self._set(connection, table, values)

    def _inserted(
        self, connection: Any, clause: Any, multi: Any, params: Any, options: Any, result: Any
    ) -> None:
        """Without the ORM's objects: statements, and the rows between two objects."""
        context: Any = getattr(result, "context", None)
        table = getattr(clause, "table", None)
        is_of_object = self._is_flushing and str(table) in self._of_objects
        if is_of_object or not getattr(context, "isinsert", False) or table is None:
            return
        rows = [row for each in context.compiled_parameters for row in _rows_in(each, table)]
        keys: list[tuple[Any, ...]] = []
        with suppress(Exception):
            keys = [tuple(each) for each in context.inserted_primary_key_rows]
        if len(keys) < len(rows) or any(None in each for each in keys):
            with suppress(Exception):
                keys = _keys_made(connection, table, len(rows)) or keys
        for number, values in enumerate(rows):
            if number < len(keys):
                for column, value in zip(table.primary_key.columns, keys[number]):
                    if value is not None:
                        values.setdefault(column, value)
            self._set(connection, table, values)

    def _updated(
        self, connection: Any, clause: Any, multi: Any, params: Any, options: Any, result: Any
    ) -> None:
        """Rows that are known already, after a statement without the ORM's objects."""
        from sqlalchemy import select

        is_update = getattr(getattr(result, "context", None), "isupdate", False)
        if self._is_flushing or not is_update or multi or params:
            return
        table = clause.table
        if not any(name == table.fullname for name, _ in self._rows):
            return
        changed = select(table) if clause.whereclause is None else select(table).where(clause.whereclause)
        for row in connection.execute(changed.limit(_MOST_ROWS)).mappings():
            values = {column: row[column] for column in table.columns}
            if _key(table, values) in self._rows:
                self._set(connection, table, values)

    def _updated_by_text(
        self, connection: Any, clause: Any, multi: Any, params: Any, options: Any, result: Any
    ) -> None:
        """The same after a statement of words: the newest of its table's rows are read again."""
        from sqlalchemy import and_, or_, select

        changes = _CHANGES.match(getattr(clause, "text", ""))
        name = changes[1].replace('"', "").rpartition(".")[2] if changes else ""
        table = self._tables.get(name)
        if table is None:
            return
        columns = list(table.primary_key.columns)
        keys = [key for of, key in self._rows if of == table.fullname and _NAMELESS not in key]
        each = [and_(*map(_equals, columns, key)) for key in keys[-_MOST_LOOKED_UP:]]
        if not each:
            return
        for row in connection.execute(select(table).where(or_(*each))).mappings():
            self._set(connection, table, {column: row[column] for column in table.columns})

    def _set(self, connection: Any, table: Any, values: dict[Any, Any]) -> None:
        if self._count >= _MOST_ROWS or not values:
            return
        key = _key(table, values) or (table.fullname, (_NAMELESS, self._count))
        try:
            insert = _insert(table, values)
        except Exception:  # a type of their own, or a value that nobody can write down
            return
        self._tables[table.name] = table
        if self._written_as.get(self._rows.get(key, -1)) == insert:
            return
        number = self._count
        self._count += 1
        if self._notes.write("row", number=number, key=repr(key), sql=insert, test=self._notes.test):
            self._written_as[number] = insert
            self._change(connection, key, number)

    def _deleted(self, mapper: Any, connection: Any, target: Any) -> None:
        from sqlalchemy import inspect

        identity = inspect(target).identity
        for table in mapper.tables:
            if identity is not None:
                self._change(connection, (table.fullname, tuple(identity)), None)

    def _change(self, connection: Any, key: Key, number: int | None) -> None:
        self._undo.setdefault(_id(connection), []).append((key, self._rows.get(key)))
        if number is None:
            self._rows.pop(key, None)
        else:
            self._rows[key] = number

    def _forget(self, connection: Any) -> None:
        self._undo.pop(_id(connection), None)
        self._marks.pop(_id(connection), None)

    def _marks_of(self, connection: Any) -> list[int]:
        """The lengths at which its savepoints began: a savepoint has no name yet when it begins."""
        return self._marks.setdefault(_id(connection), [])

    def _length(self, connection: Any) -> int:
        return len(self._undo.get(_id(connection), []))

    def _undone(self, connection: Any, kept: int) -> None:
        own = self._undo.get(_id(connection), [])
        while len(own) > kept:
            key, before = own.pop()
            if before is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = before

    def _executed(
        self, connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool
    ) -> None:
        if self._is_new:
            self._is_new = False
            count_again(connection)
        self._unknown += statement[:7].upper() == "INSERT " and not getattr(context, "isinsert", False)
        gone = _GONE.match(statement)
        if gone is None or (" where " in f" {' '.join(statement.split())} ".lower()):
            return
        names = {each.rpartition(".")[2] for each in _NAME.findall(gone[1].replace('"', ""))}
        for key in [each for each in self._rows if each[0].rpartition(".")[2] in names]:
            self._change(connection, key, None)


def _equals(column: Any, value: Any) -> Any:
    return column == value


def _quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """What goes wrong here must not go wrong in a test."""

    def call(*args: Any) -> None:
        with suppress(Exception):
            function(*args)

    return call


def _rows_in(parameters: dict[str, Any], table: Any) -> list[dict[Any, Any]]:
    """The rows of one statement: `name`, or `name_m0` and `name_m1` of several."""
    rows: dict[str, dict[Any, Any]] = {}
    for name, value in parameters.items():
        several = _OF_SEVERAL.fullmatch(name)
        column, number = several.groups() if several and name not in table.columns else (name, "")
        if column in table.columns:
            rows.setdefault(number, {})[table.columns[column]] = value
    return list(rows.values())


def _keys_made(connection: Any, table: Any, count: int) -> list[tuple[Any, ...]]:
    """The numbers that the database gave, where the statement returns something else to its test."""
    [column] = table.primary_key.columns
    if column.type.python_type is not int:
        return []
    place = connection.dialect.identifier_preparer.format_table(table)
    questions = {
        "postgresql": "SELECT pg_sequence_last_value("
        f"pg_get_serial_sequence({quoted(place)}, {quoted(column.name)})::regclass)",
        "sqlite": "SELECT last_insert_rowid()",
    }
    cursor = connection.connection.cursor()
    try:
        cursor.execute(questions[connection.dialect.name])
        last = cursor.fetchone()[0]
    finally:
        cursor.close()
    return [] if last is None else [(last - count + 1 + number,) for number in range(count)]


def _id(connection: Any) -> int:
    """The driver's own connection counts: a session and its test may have two objects for it."""
    try:
        return id(connection.connection.dbapi_connection)
    except Exception:
        return id(connection)


def _key(table: Any, values: dict[Any, Any]) -> Key | None:
    key = tuple(values.get(column) for column in table.primary_key.columns)
    return (table.fullname, key) if key and None not in key else None


def _insert(table: Any, values: dict[Any, Any]) -> str:
    from sqlalchemy.dialects.postgresql.base import PGDialect

    dialect = PGDialect()  # type: ignore[no-untyped-call]
    preparer = dialect.identifier_preparer
    names, literals = [], []
    for column, value in ((each, values[each]) for each in table.columns if each in values):
        if getattr(column, "computed", None) is not None:
            continue
        process = None if value is None else column.type.dialect_impl(dialect).bind_processor(dialect)
        names.append(preparer.quote(column.name))
        literals.append(literal(process(value) if process else _plain(column, value)))
    into = preparer.format_table(table)
    listed, written = ", ".join(names), ", ".join(literals)
    return f"INSERT INTO {into} ({listed}) VALUES ({written}) ON CONFLICT DO NOTHING;"  # noqa: S608 - quoted


def _plain(column: Any, value: Any) -> Any:
    """A list is an array only in a column of arrays."""
    is_json = "JSON" in type(column.type).__name__.upper()
    return json.dumps(value) if is_json and not isinstance(value, str) else value
