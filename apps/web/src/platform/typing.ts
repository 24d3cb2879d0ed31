/** Debounce of every search (CONST-001). */
export const TYPING_MS = 500

/** Minimum letters of a search in a picker (CONST-002). */
export const PICKER_MIN = 2
