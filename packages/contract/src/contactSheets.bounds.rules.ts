/** Bounds of a spreadsheet of contacts. They stand apart from its shapes: the process that reads it loads nothing else. */

/** Rows that hold something, the header not counted. */
export const MAX_SHEET_ROWS = 200_000
/** Bytes of the file. */
export const MAX_SHEET_BYTES = 50 * 1_048_576
/** Columns of a row that hold something, and characters of a row. */
export const MAX_SHEET_COLUMNS = 256
export const MAX_SHEET_ROW_LENGTH = 65_536
/** Characters that are kept of a cell; what follows them is left out. */
export const MAX_SHEET_CELL = 4_096
/** Bytes of a workbook once it is unpacked. */
export const MAX_SHEET_UNPACKED = 300 * 1_048_576
/** Different texts of a workbook (shared strings): how many, and their bytes together. */
export const MAX_SHEET_TEXTS = 1_000_000
export const MAX_SHEET_TEXT_BYTES = 32 * 1_048_576
