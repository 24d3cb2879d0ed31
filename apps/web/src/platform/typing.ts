/** How long a search waits for the next key before it asks: the same everywhere (CONST-001). */
export const TYPING_MS = 500

/** How many letters a picker needs before it asks (CONST-002). */
export const PICKER_MIN = 2
