/** A count as the reader's language writes it: 3.482 */
export const whole = (count: number) => count.toLocaleString(document.documentElement.lang)
