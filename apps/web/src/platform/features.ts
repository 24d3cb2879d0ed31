import type { OutsidePage } from '@balcao/contract/pages.rules.ts'
import type { Right } from '@balcao/contract/permissions.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import type { IconMessages } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** A page for people outside stands in `outside/pages.tsx`: who is led to it from a screen is led out of the app. */
export interface PageOutside {
  path: OutsidePage
  access: 'outside'
}

export interface Screen {
  path: string
  /** `public` only without a session, `private` only with one, `anyone` both; pages outside the shell stand alone. */
  access: 'public' | 'private' | 'anyone'
  alone?: boolean
  needs?: Right
  /** Where who may not is led; to the tickets when nothing is said. */
  instead?: string
  load(): Promise<{ default: ComponentType }>
}

export interface MenuEntry {
  path: string
  /** Addresses of screens that are reached from it and have no entry of their own. */
  also?: string[]
  label(): string
  icon: typeof IconMessages
  /** Daily work stands first, then what belongs to the company; the other two are pop-up menus. */
  group?: 'work' | 'company' | 'administration' | 'saas'
  needs?: Right
  /** A flag of the company or the user without which the entry is not shown. */
  when?(user: User): boolean
  /** A flag of the plan without which the entry is shown but leads nowhere. */
  enabled?(user: User): boolean
  /** What stands beside the label: a count or a warning. */
  Mark?: ComponentType
}

/** What a feature shows: its screens, its places in the menu, and what it does while a user is logged in. */
export interface Feature {
  screens?: (Screen | PageOutside)[]
  menu?: MenuEntry[]
  /** Follows its channels while somebody is logged in; the answered function stops it. */
  live?: () => () => void
  /** Stands invisibly in the shell: live listeners, notices. */
  Always?: ComponentType
}
