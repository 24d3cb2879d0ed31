const zone = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** `2026-03-09 14:05:00` on the clock of São Paulo, by which Asaas counts its days. */
export const momentOf = (date: Date): string => zone.format(date)

/** `2026-03-09` of the same. */
export const dayOf = (date: Date): string => momentOf(date).slice(0, 10)
