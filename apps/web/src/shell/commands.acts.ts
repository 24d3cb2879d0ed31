import { mountedActs, type Shortcut } from '../platform/shortcuts.ts'

/** The shortcuts that do something at present. */
export const shortcutsInUse = (): Shortcut[] =>
  [...mountedActs].flatMap(acts =>
    Object.entries(acts()).flatMap(([shortcut, act]) => (act ? [shortcut as Shortcut] : [])),
  )

/** Does what the keys of a shortcut would; nothing where it is no longer possible. */
export function actBy(shortcut: Shortcut): void {
  const able = [...mountedActs].map(acts => acts()[shortcut]).find(Boolean)
  if (able) able()
}
