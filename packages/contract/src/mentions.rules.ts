/** A member of a group, under the name that follows the `@`. */
interface Named {
  name: string
}

/**
 * Members under the names by which a text mentions them: of several with one name the last digits of the address say which is
 * meant. Without those of whom neither a name nor a number is known.
 */
export function underNames<Member extends { id: string; name: string; number: string }>(
  members: Member[],
): Member[] {
  const own = ({ name, number }: Member) => name || (number && `+${number}`)
  const many = Map.groupBy(members, own)
  return members.filter(own).map(member => {
    const name = own(member)
    const digits = (member.number || member.id).slice(-LAST_DIGITS)
    return { ...member, name: many.get(name)!.length > 1 ? `${name} ${digits}` : name }
  })
}

const LAST_DIGITS = 4

/** Those whom a text mentions as `@name`; a name that is the beginning of a longer one, or of another word, is not meant. */
export function mentionedOf<One extends Named>(text: string, named: One[]): One[] {
  const found = new Set<string>()
  replaceMentions(text, named, ({ name }) => {
    found.add(name)
    return ''
  })
  return named.filter(({ name }) => found.has(name))
}

/** The text with something else instead of each `@name`. */
export function replaceMentions<One extends Named>(
  text: string,
  named: One[],
  instead: (one: One) => string,
): string {
  if (named.length === 0) return text
  const byName = new Map(named.map(one => [one.name, one]))
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(plain)
  const mention = new RegExp(`@(${names.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return text.replaceAll(mention, (_, name: string) => instead(byName.get(name)!))
}

const plain = (name: string) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
