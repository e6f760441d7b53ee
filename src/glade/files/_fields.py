"""The fields of a CSV table in UTF-8: whether every row has as many as the header, and the inferred types of each
column's fields."""

from glade.core._compile import inlined, kernel, part

# The inferred type of a field. A column's kind follows from how often each occurs in it.
EMPTY, MISSING, WHOLE, DECIMAL, ZERO_LED, LONG, ENDLESS, TEXT = range(8)
N_TYPES = 8
# What ends a scan: a whole record, the end of the bytes, or a fault.
RECORD, END, WRONG_COUNT, STRAY_QUOTE, OPEN_QUOTE, NUL = range(6)
POSITION, LINE, ROWS, FIELDS, OUTCOME, FAULT_LINE = range(6)  # of the state
N_STATE = 6

QUOTE, RETURN, NEWLINE, SPACE, TAB, PLUS, MINUS, ZERO, NINE = 34, 13, 10, 32, 9, 43, 45, 48, 57
CAPITAL_E, SMALL_E = 69, 101
EXACT_INTEGER = 9007199254740992  # 2**53
MAX_DIGITS = 18  # of a whole number that surely fits 64 bits


@inlined
def is_digit(byte):
    return byte >= ZERO and byte <= NINE


@inlined
def is_blank(byte, separator):
    return (byte == SPACE or byte == TAB) and byte != separator


@inlined
def ends_field(byte, separator):
    return byte == separator or byte == NEWLINE or byte == RETURN


@part
def skip_digits(data, at, end):
    while at < end and is_digit(data[at]):
        at += 1
    return at


@part
def skip_blanks(data, at, end, separator):
    while at < end and is_blank(data[at], separator):
        at += 1
    return at


@part
def is_word(data, start, end, word):
    """Whether a field is a word in small letters, in whatever case."""
    if end - start != len(word):
        return False
    for k in range(len(word)):
        byte = data[start + k]
        if byte >= 65 and byte <= 90:
            byte += 32
        if byte != word[k]:
            return False
    return True


@part
def read_exponent(data, at, end):
    """The end of the exponent whose letter stands here, or -1 if none follows it."""
    at += 1
    if at < end and (data[at] == PLUS or data[at] == MINUS):
        at += 1
    after = skip_digits(data, at, end)
    return after if after > at else -1


@inlined
def read_number(data, start, end, decimal, separator):
    """The number that starts here, blanks around it or not: its inferred type (TEXT if it is none), where it ends."""
    at = start
    while at < end and is_blank(data[at], separator):
        at += 1
    if at < end and (data[at] == PLUS or data[at] == MINUS):
        at += 1
    first, number = at, 0
    while at < end and is_digit(data[at]):
        number = number * 10 + (data[at] - ZERO)  # wraps around where there are too many digits
        at += 1
    n_digits, inferred = at - first, WHOLE
    if n_digits > 1 and data[first] == ZERO:
        inferred = ZERO_LED
    elif n_digits > MAX_DIGITS or number > EXACT_INTEGER:
        inferred = LONG
    if at < end and data[at] == decimal:
        point = at
        at = skip_digits(data, point + 1, end)
        n_digits += at - point - 1
        inferred = DECIMAL
    if n_digits > 0 and at < end and (data[at] == SMALL_E or data[at] == CAPITAL_E):
        after = read_exponent(data, at, end)
        if after >= 0:
            at, inferred = after, DECIMAL
    while at < end and is_blank(data[at], separator):
        at += 1
    return (inferred if n_digits > 0 else TEXT), at


@part
def is_listed(data, start, end, words, word_starts):
    """Whether a field is one of the words, letter by letter."""
    for w in range(word_starts.shape[0] - 1):
        first = word_starts[w]
        if word_starts[w + 1] - first != end - start:
            continue
        k = 0
        while k < end - start and data[start + k] == words[first + k]:
            k += 1
        if k == end - start:
            return True
    return False


@part
def infer_type(data, start, end, decimal, separator, words, word_starts):
    """Infer the type of a field; the words are those that stand for a missing value."""
    if start == end:
        return EMPTY
    if is_listed(data, start, end, words, word_starts):
        return MISSING
    inferred, after = read_number(data, start, end, decimal, separator)
    if inferred != TEXT and after == end:
        return inferred
    unsigned = start + 1 if data[start] == PLUS or data[start] == MINUS else start
    is_endless = is_word(data, unsigned, end, b"inf") or is_word(data, unsigned, end, b"infinity")
    return ENDLESS if is_endless else TEXT


@part
def find_field_end(data, start, end, separator, state):
    """Where the field that starts here ends; a fault goes into the state."""
    at = start
    if at < end and data[at] == QUOTE:
        opened = state[LINE]
        at += 1
        while at < end:
            byte = data[at]
            if byte == QUOTE:
                if at + 1 < end and data[at + 1] == QUOTE:
                    at += 1
                else:
                    break
            elif byte == NEWLINE or (byte == RETURN and not (at + 1 < end and data[at + 1] == NEWLINE)):
                state[LINE] += 1
            elif byte == 0:
                state[OUTCOME], state[FAULT_LINE] = NUL, state[LINE]
            at += 1
        if at >= end:
            state[OUTCOME], state[FAULT_LINE] = OPEN_QUOTE, opened
            return end
        at += 1
        if at < end and not ends_field(data[at], separator):
            state[OUTCOME], state[FAULT_LINE] = STRAY_QUOTE, state[LINE]
        return at
    while at < end and not ends_field(data[at], separator):
        if data[at] == QUOTE:
            state[OUTCOME], state[FAULT_LINE] = STRAY_QUOTE, state[LINE]
        if data[at] == 0:
            state[OUTCOME], state[FAULT_LINE] = NUL, state[LINE]
        at += 1
    return at


@part
def skip_empty_lines(data, at, end, separator, state):
    """The start of the next line that holds anything but blanks."""
    while at < end:
        after = skip_blanks(data, at, end, separator)
        if after < end and data[after] != NEWLINE and data[after] != RETURN:
            return at
        if after >= end:
            return end
        at = skip_line_end(data, after, end, state)
    return at


@part
def skip_line_end(data, at, end, state):
    """The start of the line after the one that ends here: with LF, CR LF or CR."""
    state[LINE] += 1
    if data[at] == RETURN and at + 1 < end and data[at + 1] == NEWLINE:
        return at + 2
    return at + 1


@kernel
def scan_records(data, until, separator, decimal, plain, words, word_starts, counts, first_lines, state):
    """Go through records from state[POSITION] on, until a fault or the first record's end at or after `until`.

    counts[c, type] grows by the fields of column c of that type, and first_lines[c, type] is the line of the first one.
    Without columns to count, one record is taken whatever its length: that is how a header is read. `plain`: no number
    is among the words for a missing value. state[FIELDS] is the number of fields of the last record.
    """
    end, n_columns = data.shape[0], counts.shape[0]
    at = state[POSITION]
    while True:
        at = skip_empty_lines(data, at, end, separator, state)
        state[POSITION] = at
        if at >= end:
            state[OUTCOME] = END
            return
        if state[ROWS] > 0 and (n_columns == 0 or at >= until):
            state[OUTCOME] = RECORD
            return
        column, line = 0, state[LINE]
        state[OUTCOME] = RECORD
        while True:
            start = at
            inferred, at = read_number(data, start, end, decimal, separator)
            if not plain or inferred == TEXT or (at < end and not ends_field(data[at], separator)):
                at = find_field_end(data, start, end, separator, state)
                if state[OUTCOME] != RECORD:
                    return
                is_quoted = at - start >= 2 and data[start] == QUOTE
                a, b = (start + 1, at - 1) if is_quoted else (start, at)
                inferred = infer_type(data, a, b, decimal, separator, words, word_starts)
            if column < n_columns:
                if counts[column, inferred] == 0:
                    first_lines[column, inferred] = line
                counts[column, inferred] += 1
            column += 1
            if at >= end or data[at] != separator:
                break
            at += 1
        state[FIELDS] = column
        if n_columns > 0 and column != n_columns:
            state[OUTCOME], state[FAULT_LINE] = WRONG_COUNT, line
            return
        state[ROWS] += 1
        if at < end:
            at = skip_line_end(data, at, end, state)
