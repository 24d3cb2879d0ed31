/** A count as the reader's language writes it: 3.482 */
export const whole = (count: number) => count.toLocaleString(document.documentElement.lang)

/** With at most two digits behind the point, as the reader's language writes it: 4,25 */
export const rounded = (number: number) =>
  number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 })
