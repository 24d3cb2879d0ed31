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

/** Fills `{{cliente}}` and the other placeholders; unknown ones stay unchanged. A customer without a name is left out with the comma. */
export const filled = (text: string, values: Placeholders): string =>
  partsOf(text, values)
    .map(part => part.text)
    .join('')

export const partsOf = (text: string, values: Placeholders): TextPart[] =>
  withoutNameless(readParts(text, values))

/** The name of a contact as a text calls the person: none where only the number is known. */
export const calledBy = ({ name, number }: { name: string; number: string }) =>
  name === `+${number}` || name === 'WhatsApp' ? '' : name

/** `Olá, {{cliente}}!` is `Olá!`, and `{{cliente}}, tudo bem?` is `Tudo bem?`. */
function withoutNameless(parts: ReadPart[]): TextPart[] {
  const left = parts.map(part => ({ ...part }))
  for (const [at, { isNameless }] of parts.entries()) {
    if (!isNameless) continue
    const [before, after] = [left[at - 1], left[at + 1]]
    const isFirst = !before || before.text.trimEnd() === '' || /\n[^\S\n]*$/.test(before.text)
    if (isFirst && after?.kind === 'words')
      after.text = capital(after.text.replace(/^[^\S\n]*,?[^\S\n]*/, ''))
    else if (!isFirst && before.kind === 'words')
      before.text = before.text.trimEnd().replace(/,$/, '').trimEnd()
  }
  return left.filter(({ text }) => text !== '').map(({ text, kind }) => ({ text, kind }))
}

const capital = (text: string) => text.replace(/^\p{Ll}/u, letter => letter.toUpperCase())

type ReadPart = TextPart & { isNameless?: boolean }

const readParts = (text: string, values: Placeholders): ReadPart[] =>
  text
    .split(/(\{\{\s*\w+\s*\}\})/)
    .filter(Boolean)
    .map(written => {
      const name = /^\{\{\s*(\w+)\s*\}\}$/.exec(written)?.[1]?.toLowerCase()
      if (name === undefined) return { text: written, kind: 'words' }
      const value = Object.entries(values).find(([known]) => known === name)?.[1]
      if (value === undefined) return { text: written, kind: 'unknown' }
      return { text: value, kind: 'value', isNameless: name === 'cliente' && value === '' }
    })
