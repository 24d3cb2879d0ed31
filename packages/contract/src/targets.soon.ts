/** What is due within so long is late soon. By itself, since lists of the first screen need it without the shapes. */
export const SOON_LATE_MS = 30 * 60_000
