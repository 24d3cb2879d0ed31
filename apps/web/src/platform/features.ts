import type { Right } from '@balcao/contract/permissions.rules.ts'
import type { IconMessages } from '@tabler/icons-react'
import type { ComponentType } from 'react'

export interface Screen {
  path: string
  /** `public` only without a session, `private` only with one; pages outside the shell stand alone. */
  access: 'public' | 'private'
  alone?: boolean
  needs?: Right
  load(): Promise<{ default: ComponentType }>
}

export interface MenuEntry {
  path: string
  label(): string
  icon: typeof IconMessages
  needs?: Right
  /** What stands beside the label: a count or a warning. */
  Mark?: ComponentType
}

/** What a feature shows: its screens, its place in the menu, and what it does while a user is logged in. */
export interface Feature {
  screens?: Screen[]
  menu?: MenuEntry[]
  /** Stands invisibly in the shell: live listeners, notices. */
  Always?: ComponentType
}
