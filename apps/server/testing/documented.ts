/**
 * The command lines of the fenced blocks of a page: continued lines joined, remarks removed. Blocks of JSON, YAML or
 * variables alone hold none.
 */
export function commandsIn(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^```.*\n([\s\S]*?)^```/gm), ([, block]) => block!).flatMap(block => {
    const lines = block
      .replace(/\s*\\\n\s*/g, ' ')
      .split('\n')
      .map(line => line.replace(/(^|\s+)#\s.*$/, '').trim())
      .filter(Boolean)
    const isOther =
      /^\{|^[a-z_]+:$/.test(lines[0] ?? '') || lines.every(line => /^[A-Z_0-9]+=\S*$/.test(line))
    return isOther ? [] : lines
  })
}

/** What a page says under a heading, to the next one of its level. */
export function sectionOf(markdown: string, heading: string): string {
  const [level] = /^#+/.exec(heading)!
  const begin = markdown.indexOf(`\n${heading}\n`)
  if (begin < 0) throw new Error(`there is no heading "${heading}"`)
  const end = markdown.indexOf(`\n${level} `, begin + heading.length)
  return markdown.slice(begin, end < 0 ? undefined : end)
}
