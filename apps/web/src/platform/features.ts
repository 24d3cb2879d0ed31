import type { OutsidePage } from '@balcao/contract/pages.rules.ts'
import type { Right } from '@balcao/contract/permissions.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import type { IconMessages } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** A page for people outside is listed in `outside/pages.tsx`: a link from a screen to it leaves the app. */
export interface PageOutside {
  path: OutsidePage
  access: 'outside'
}

export interface Screen {
  path: string
  /**
   * `public` only without a session, `private` only with one, `anyone` both; pages outside the shell have no
   * frame.
   */
  access: 'public' | 'private' | 'anyone'
  alone?: boolean
  needs?: Right
  /** Redirect of a user without the right; default: the tickets. */
  instead?: string
  load(): Promise<{ default: ComponentType }>
}

export interface MenuEntry {
  path: string
  /** Addresses of screens that are reached from it and have no entry of their own. */
  also?: string[]
  label(): string
  icon: typeof IconMessages
  /** Daily work comes first, then what belongs to the company; the other two are pop-up menus. */
  group?: 'work' | 'company' | 'administration' | 'saas'
  needs?: Right
  /** A flag of the company or the user without which the entry is not shown. */
  when?(user: User): boolean
  /** A flag of the plan without which the entry is shown but disabled. */
  enabled?(user: User): boolean
  /** Shown beside the label: a count or a warning. */
  Mark?: ComponentType
}

/** A feature: its screens, its menu entries, and what it does while a user is logged in. */
export interface Feature {
  screens?: (Screen | PageOutside)[]
  menu?: MenuEntry[]
  /** Subscribes to its channels while a user is logged in; the answered function unsubscribes. */
  live?: () => () => void
  /** Mounted invisibly in the shell: live listeners, notices. */
  Always?: ComponentType
}
