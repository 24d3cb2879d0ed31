import { Menu } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import type { MenuEntry } from '../platform/features.ts'
import { useUser } from '../platform/session.tsx'
import { useGoTo } from '../ui/go-to.ts'
import { decided } from './decided.ts'
import classes from './menu.module.css'

interface Props {
  label: string
  icon: MenuEntry['icon']
  entries: MenuEntry[]
  wide: boolean
  onChosen(): void
}

/** A pop-up of the menu. Entries that the plan lacks are shown, and cannot be chosen. */
export function MenuGroup({ label, icon: Icon, entries, wide, onChosen }: Props) {
  const goTo = useGoTo()
  const user = useUser()
  const { pathname } = useLocation()
  if (entries.length === 0) return null
  const here = entries
    .flatMap(({ path, also = [] }) => [path, ...also])
    .some(path => pathname.toLowerCase().startsWith(path.toLowerCase()))
  // a count of an entry is seen without opening the group
  const marks = entries.flatMap(({ path, Mark }) => (Mark ? [{ path, Mark }] : []))
  return (
    <Menu position="right-start" offset={10} width={220}>
      <Menu.Target>
        <button
          type="button"
          className={classes.item}
          aria-current={here ? 'page' : undefined}
          data-hint={wide ? undefined : label}
          data-hint-side="right"
        >
          <Icon size={20} stroke={1.75} aria-hidden />
          <span className={wide ? classes.label : 'sr-only'}>{label}</span>
          {marks.map(({ path, Mark }) => (
            <span key={path} className={classes.mark}>
              <Mark />
            </span>
          ))}
          {wide && <IconChevronRight size={16} aria-hidden />}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ path, label, icon: EntryIcon, enabled, Mark }) => (
          <Menu.Item
            key={path}
            leftSection={<EntryIcon size={16} aria-hidden />}
            rightSection={Mark && <Mark />}
            disabled={!decided(enabled, user)}
            onClick={() => {
              onChosen()
              goTo(path)
            }}
          >
            {label()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
