/** Texts are few, since lists travel as arrays; past the limit a text is sent unnamed. */
const NAMED_LIMIT = 1_000

/** Names statements by their texts, so that the server plans each once a connection. */
export function statementNames() {
  const names = new Map<string, string>()
  return (text: string) => {
    const known = names.get(text)
    if (known || names.size >= NAMED_LIMIT) return known
    const name = `b${names.size}`
    names.set(text, name)
    return name
  }
}
