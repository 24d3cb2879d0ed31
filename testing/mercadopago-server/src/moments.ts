/** `2026-03-09T14:05:00.000-04:00`: Mercado Pago answers with moments of UTC−4, in Brazil, too. */
export const momentOf = (date: Date): string =>
  new Date(date.getTime() - 4 * 3_600_000).toISOString().replace('Z', '-04:00')
