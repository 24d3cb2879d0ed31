import type { KeptSides } from '@balcao/contract/contactMerges.ts'
import { addressesOf, type ContactFacts } from '../contacts/contacts.facts.ts'

/**
 * What stays of two contacts. A field that the chosen one lacks comes from the other. Number and LID stay together: what
 * two phones are called is never mixed, or answers would go to one and be shown under the other.
 */
export function mergedFacts(into: ContactFacts, from: ContactFacts, keep: KeptSides): ContactFacts {
  const of = (side: 'into' | 'from'): [ContactFacts, ContactFacts] =>
    side === 'into' ? [into, from] : [from, into]
  const [name, email] = [of(keep.name), of(keep.email)]
  const [address, other] = of(keep.number)
  const gaps = address.number && other.number ? { lid: '', cloudId: '' } : other
  return {
    name: name[0].name || name[1].name,
    email: email[0].email || email[1].email,
    number: address.number || other.number,
    lid: address.lid || gaps.lid,
    cloudId: address.cloudId || gaps.cloudId,
    profilePicUrl: address.profilePicUrl || other.profilePicUrl,
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

/** What a contact says when a merge into it is undone: as before, but for what somebody changed since. */
export function partedFacts(now: ContactFacts, { before, after, gone }: Merged): ContactFacts {
  const unlessChanged = <Field extends keyof ContactFacts>(field: Field): ContactFacts[Field] =>
    JSON.stringify(now[field]) === JSON.stringify(after[field]) ? before[field] : now[field]
  const came = after.categoryIds.filter(id => !before.categoryIds.includes(id))
  const went = before.categoryIds.filter(id => !after.categoryIds.includes(id))
  const address = isCalledLike(now, gone) ? before : now
  return {
    name: unlessChanged('name'),
    email: unlessChanged('email'),
    profilePicUrl: unlessChanged('profilePicUrl'),
    extraInfo: unlessChanged('extraInfo'),
    number: address === now ? unlessChanged('number') : before.number,
    lid: address === now ? unlessChanged('lid') : before.lid,
    cloudId: address === now ? unlessChanged('cloudId') : before.cloudId,
    categoryIds: [...new Set([...now.categoryIds.filter(id => !came.includes(id)), ...went])],
    identifiers: before.identifiers,
  }
}

/** It has a number or LID of the other by now: that one wrote last. */
const isCalledLike = (now: ContactFacts, gone: ContactFacts) =>
  addressesOf(now).some(({ kind, value }) =>
    gone.identifiers.some(one => one.kind === kind && one.value === value),
  )
