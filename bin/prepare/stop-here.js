/** What the person at the terminal can mend: shown without a stack. */
export class StopHere extends Error {}
