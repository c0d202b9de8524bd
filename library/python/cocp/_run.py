"""A command run in the library: its words, its messages, its end."""
from __future__ import annotations

import ctypes
import threading
import warnings
from typing import NamedTuple

from ._library import Call, Message, bytes_of, library, text_of
from ._spec import quote


class Note(NamedTuple):
    """What a command says; line and column from 1, line 0: of no place."""
    level: str                      #: "error", "warning" or "note"
    file: str | None
    line: int
    column: int
    text: str
    whole: str                      #: as the command line prints it



class Error(Exception):
    """What a command could not do; `messages` is all it said."""

    def __init__(self, messages, otherwise):
        errors = [note for note in messages if note.level == "error"]
        super().__init__("\n".join(note.whole for note in errors) or otherwise)
        self.messages = messages
        self.errors = errors
        self._otherwise = otherwise

    def __reduce__(self):                           # so that workers can send it home
        return type(self), (self.messages, self._otherwise)


class SpecError(Error, ValueError):
    """Mistakes of a spec: file, line and column are those of the first one, `errors` has all. It shows the lines of `text`, the
    spec called `name`, that they are in."""

    def __init__(self, messages, otherwise, text=None, name=None):
        super().__init__(messages, otherwise)
        first = self.errors[0] if self.errors else Note("error", None, 0, 0, otherwise, otherwise)
        self.file, self.line, self.column = first.file, first.line, first.column
        self._text, self._name = text, name

    def __reduce__(self):
        return type(self), (self.messages, self._otherwise, self._text, self._name)

    def __str__(self):
        shown = []
        for note in self.errors:
            place = quote(self._text, note.line, note.column) if self._text and note.file == self._name else ""
            shown += [note.whole, place] if place else [note.whole]
        return "\n".join(shown) or self._otherwise


class UsageError(Error, ValueError):
    """An option that is not there, or makes no sense."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class SpecWarning(UserWarning):
    """What a command warns of."""


KINDS = {1: Error, 2: UsageError, 3: SpecError, 4: FileError}


def yaml_of(value):
    """A value as the YAML that --set takes."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if hasattr(value, "tolist"):                    # of numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {yaml_of(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(yaml_of(each) for each in value) + "]"
    return repr(value)


def words_of(settings, options):
    """The words of the command line: settings by path, options by name (max_time=5 is --max-time=5)."""
    words = [f"--set={path}={yaml_of(value)}" for path, value in settings.items()]
    for name, value in options.items():
        name = "--" + name.replace("_", "-")
        if value is True:
            words.append(name)
        elif isinstance(value, dict):
            words += [f"{name}={key}={yaml_of(each)}" for key, each in value.items()]
        elif value is not None and value is not False:
            words.append(f"{name}={yaml_of(value)}")
    return words


def word_of(text):
    try:
        return bytes_of(text)
    except ValueError as error:
        raise UsageError([], f"{text!r}: {error}") from None


def spec_of(text, name):
    """A NUL, where the text would end for the library, is a mistake with a place."""
    try:
        return None if text is None else bytes_of(text)
    except ValueError as error:
        before = text[:text.index("\0")]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        whole = f"{name}:{line}:{column}: error: {error}"
        raise SpecError([Note("error", name, line, column, str(error), whole)], whole) from None


class Run:
    """What came of a command. Ctrl-C ends it with the best there is; a second one raises KeyboardInterrupt. What `log`
    raises ends it, too, and is raised here. `show` is called with the latest line, five times a second, in the main thread."""

    def __init__(self, words, text=None, guess=None, subject=None, log=None, show=None):
        self.lines, self._raised, self._show = [], None, show
        self._text, self._name = text, words[-1]
        self._log = print if log is True else log
        array = (ctypes.c_char_p * len(words))(*map(word_of, words))
        call = Call(spec_of(text, words[-1]), guess, subject, Call.LOG(self._take), None)
        handle = self._wait(lambda: library.cocp_run(len(words), array, call))
        try:
            self.status = text_of(library.cocp_run_status(handle))
            self.exit_code = library.cocp_run_exit_code(handle)
            self.output = text_of(library.cocp_run_output(handle))
            self.messages = list(messages_of(handle))
            self.result = library.cocp_run_result(handle)
        finally:
            library.cocp_run_free(handle)
        try:
            self._tell()
        except BaseException:
            library.cocp_result_free(self.result)
            raise

    def _tell(self):
        """Raises what there is to raise."""
        if self._raised:
            raise self._raised
        for note in self.messages:
            if note.level == "warning":
                warnings.warn(note.whole, SpecWarning, stacklevel=5)
        kind = KINDS.get(self.exit_code)
        if kind is SpecError:
            raise SpecError(self.messages, self.status, self._text, self._name)
        if kind:
            raise kind(self.messages, self.status)

    def _take(self, _, line):
        """A line of the log; ctypes would print and forget what is raised here."""
        line = text_of(line)
        self.lines.append(line)
        if self._log and not self._raised:
            try:
                self._log(line)
            except BaseException as error:          # KeyboardInterrupt and SystemExit, too
                self._raised = error
                library.cocp_stop()

    def _wait(self, work):
        """Works in a thread, as Python's signal handlers run between calls of the main one. What they raise ends the work;
        the first KeyboardInterrupt is all it does."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        handles, done, raised = [], threading.Event(), []

        def work_and_tell():
            try:
                handles.append(work())
            finally:
                done.set()

        threading.Thread(target=work_and_tell, name="cocp", daemon=True).start()
        while not done.is_set():                    # an interrupted join takes a thread for ended (bpo-45274)
            try:
                if raised:
                    library.cocp_stop()
                if self._show:
                    self._show(self.lines[-1] if self.lines else "")
                done.wait(0.2)
            except BaseException as error:          # whatever a handler raises, as TimeoutError by SIGALRM
                raised.append(error)
        first = next((error for error in raised if not isinstance(error, KeyboardInterrupt)), None)
        if first or len(raised) > 1:
            library.cocp_run_free(handles[0])
            raise first or raised[-1]
        return handles[0]


def messages_of(handle):
    message, i = Message(), 0
    while library.cocp_run_message(handle, i, message):
        texts = [text_of(text) for text in (message.level, message.file, message.text, message.whole)]
        yield Note(texts[0], texts[1], message.line, message.column, texts[2], texts[3])
        i += 1
