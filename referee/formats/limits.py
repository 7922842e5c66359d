"""Every bound on an untrusted input, in one place. Sizes are bytes unless a comment says otherwise."""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB

# Whole files, checked by fstat before the first byte is read.
MAX_SAVE_FILE = 32 * MIB
MAX_MODULE_FILE = 512 * MIB
MAX_XLSX_FILE = 4 * MIB
MAX_CSV_FILE = 1 * MIB
MAX_JSON_FILE = 1 * MIB
MAX_BATCH_FILE = 16 * MIB
MAX_BATCH_ROWS = 100_000  # volleys
MAX_BATCH_FIELD = 200  # characters
# Play-by-play logs.
MAX_LOG_LINES = 1_000_000  # lines
MAX_LOG_GAME_LINES = 300_000  # lines of one game
MAX_LOG_LINE = 100_000  # characters
MAX_LOG_UNITS = 500  # ships and seekers of one game

# Zip archives.
MAX_SAVE_ENTRIES = 32  # entries
MAX_SHEET_ENTRIES = 128  # entries
MAX_MODULE_ENTRIES = 20_000  # entries
MAX_ENTRY_NAME = 512  # bytes of the stored name
MAX_RATIO = 200  # times the packed size ...
RATIO_FREE = 1 * MIB  # ... once the unpacked size passes this
MAX_METADATA = 256 * KIB
MAX_SAVED_GAME = 32 * MIB
MAX_BUILD_FILE = 32 * MIB
MAX_XLSX_PART = 8 * MIB

# VASSAL command text.
MAX_COMMANDS = 500_000  # commands
MAX_COMMAND = 1 * MIB  # characters of one leaf command
MAX_COMMAND_DEPTH = 64  # levels of sub-commands
MAX_PIECES = 50_000  # pieces, stacks and decks
MAX_PLAYERS = 200  # different player ids
MAX_TRAITS = 1_000  # traits of one piece
MAX_TABLE_CELLS = 20_000  # cells of one table trait

# XML.
MAX_XML_DEPTH = 32  # levels
MAX_XML_ELEMENTS = 200_000  # elements
MAX_METADATA_ELEMENTS = 2_000  # elements
MAX_XML_ATTRIBUTES = 64  # attributes of one element
MAX_BUILD_ATTRIBUTES = 256  # ... of a module's build file, whose decks have some eighty
MAX_IMAGE_HEADER = 64 * KIB  # read of a board's image to learn its size

# Spreadsheets and CSV.
MAX_SHEET_CELLS = 20_000  # cells
MAX_SHEET_COLUMN = 702  # columns: A to ZZ
MAX_SHEET_ROWS = 5_000  # rows
MAX_CSV_FIELD = 4_096  # characters
MAX_CSV_COLUMNS = 64  # columns
MAX_CSV_ROWS = 2_000  # rows

# Numbers typed by people.
MAX_NUMBER_DIGITS = 6  # digits before the point
MAX_FRACTION_DIGITS = 12  # digits after the point

# JSON.
MAX_JSON_DEPTH = 16  # levels of arrays and objects
MAX_JSON_INT = 2**53 - 1  # magnitude
MAX_JSON_DIGITS = 16  # digits

# TOML: settings and house rules.
MAX_TOML_FILE = 64 * KIB
MAX_TOML_DOTS = 16  # dots in a line, outside of texts
MAX_TOML_DIGITS = 16  # digits

# One file, start to finish.
MEMORY_NET = 1024 * MIB  # address space of a command that reads a player's files
