/** Values of the placeholders of the documents (core §9), in greetings and quick answers. */
export interface Placeholders {
  cliente: string
  atendente: string
  protocolo: string
  /** The day, as `31/12/2026`, and the hour, as `21:47`, on the company's clock. */
  data: string
  horas: string
}

/** A part of a text: literal text, a placeholder's value, or an unknown placeholder. */
export interface TextPart {
  text: string
  kind: 'words' | 'value' | 'unknown'
}

/** Fills `{{cliente}}` and the other placeholders; unknown ones stay unchanged. */
export const filled = (text: string, values: Placeholders): string =>
  partsOf(text, values)
    .map(part => part.text)
    .join('')

export const partsOf = (text: string, values: Placeholders): TextPart[] =>
  text
    .split(/(\{\{\s*\w+\s*\}\})/)
    .filter(Boolean)
    .map(written => {
      const name = /^\{\{\s*(\w+)\s*\}\}$/.exec(written)?.[1]?.toLowerCase()
      if (name === undefined) return { text: written, kind: 'words' }
      const value = Object.entries(values).find(([known]) => known === name)?.[1]
      return value === undefined ? { text: written, kind: 'unknown' } : { text: value, kind: 'value' }
    })
