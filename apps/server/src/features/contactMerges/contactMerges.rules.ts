import type { KeptSides } from '@balcao/contract/contactMerges.ts'
import type { ContactFacts } from '../contacts/contacts.facts.queries.ts'
import { addressesOf } from '../contacts/contacts.identifiers.queries.ts'

/**
 * The data of a merged contact. A field that the chosen one lacks comes from the other. Number, LID and Cloud id come from
 * one contact: mixed, replies would go to one phone and be shown under the other.
 */
export function mergedFacts(into: ContactFacts, from: ContactFacts, keep: KeptSides): ContactFacts {
  const of = (side: 'into' | 'from'): [ContactFacts, ContactFacts] =>
    side === 'into' ? [into, from] : [from, into]
  const [name, email] = [of(keep.name), of(keep.email)]
  const [address, other] = of(keep.number)
  const gaps = address.number && other.number ? { lid: '', cloudId: '', username: '' } : other
  return {
    name: name[0].name || name[1].name,
    email: email[0].email || email[1].email,
    number: address.number || other.number,
    lid: address.lid || gaps.lid,
    cloudId: address.cloudId || gaps.cloudId,
    username: address.username || gaps.username,
    profilePicUrl: address.profilePicUrl || other.profilePicUrl,
    ownerId: into.ownerId ?? from.ownerId ?? null,
    extraInfo: keep.extraInfo === 'both' ? bothInfos(into, from) : of(keep.extraInfo)[0].extraInfo,
    categoryIds:
      keep.categories === 'both'
        ? [...new Set([...into.categoryIds, ...from.categoryIds])]
        : of(keep.categories)[0].categoryIds,
    identifiers: [...into.identifiers, ...from.identifiers],
  }
}

const bothInfos = (into: ContactFacts, from: ContactFacts) => [
  ...into.extraInfo,
  ...from.extraInfo.filter(
    one => !into.extraInfo.some(({ name, value }) => name === one.name && value === one.value),
  ),
]

interface Merged {
  before: ContactFacts
  after: ContactFacts
  gone: ContactFacts
}

/** The data of a contact after undoing a merge into it: as before, but for fields changed since. */
export function partedFacts(now: ContactFacts, { before, after, gone }: Merged): ContactFacts {
  const unlessChanged = <Field extends keyof ContactFacts>(field: Field): ContactFacts[Field] =>
    JSON.stringify(now[field]) === JSON.stringify(after[field]) ? before[field] : now[field]
  const added = after.categoryIds.filter(id => !before.categoryIds.includes(id))
  const removed = before.categoryIds.filter(id => !after.categoryIds.includes(id))
  const address = hasAddressOf(now, gone) ? before : now
  return {
    name: unlessChanged('name'),
    email: unlessChanged('email'),
    profilePicUrl: unlessChanged('profilePicUrl'),
    ownerId: unlessChanged('ownerId') ?? null,
    extraInfo: unlessChanged('extraInfo'),
    number: address === now ? unlessChanged('number') : before.number,
    lid: address === now ? unlessChanged('lid') : before.lid,
    cloudId: address === now ? unlessChanged('cloudId') : before.cloudId,
    username: address === now ? unlessChanged('username') : before.username,
    categoryIds: [...new Set([...now.categoryIds.filter(id => !added.includes(id)), ...removed])],
    identifiers: before.identifiers,
  }
}

/** Whether it has a number or LID of the other, which then wrote last. */
const hasAddressOf = (now: ContactFacts, gone: ContactFacts) =>
  addressesOf(now).some(({ kind, value }) =>
    gone.identifiers.some(one => one.kind === kind && one.value === value),
  )
