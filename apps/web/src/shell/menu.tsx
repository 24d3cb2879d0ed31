import {
  IconBuildingSkyscraper,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSettings,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'
import type { MenuEntry } from '../platform/features.ts'
import { texts } from '../platform/text.ts'
import { Boundary } from '../ui/boundary.tsx'
import classes from './menu.module.css'
import { useMenuEntries } from './menu-entries.ts'
import { MenuGroup } from './menu-group.tsx'

const useText = texts({
  menu: ['Menu principal', 'Main menu', 'Menú principal'],
  collapse: ['Recolher menu', 'Collapse menu', 'Contraer menú'],
  expand: ['Expandir menu', 'Expand menu', 'Expandir menú'],
  administration: ['Administração', 'Administration', 'Administración'],
  saas: ['Administração SaaS', 'SaaS administration', 'Administración SaaS'],
})

interface Props {
  wide: boolean
  onChosen(): void
  onToggle(): void
}

/** 240 wide with labels, 56 with icons; on a phone it overlays the sheet while it is needed. */
export function Menu({ wide, onChosen, onToggle }: Props) {
  const t = useText()
  const entries = useMenuEntries()
  const of = (group: MenuEntry['group']) => entries.filter(entry => (entry.group ?? 'work') === group)
  const [company, administration, saas] = [of('company'), of('administration'), of('saas')]
  const fold = t(wide ? 'collapse' : 'expand')
  const Fold = wide ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  const item = (entry: MenuEntry) => <Item key={entry.path} entry={entry} wide={wide} onChosen={onChosen} />
  return (
    <nav className={classes.menu} data-wide={wide || undefined} aria-label={t('menu')}>
      {of('work').map(item)}
      {company.length + administration.length + saas.length > 0 && <hr className={classes.line} />}
      {company.map(item)}
      <MenuGroup
        label={t('administration')}
        icon={IconSettings}
        entries={administration}
        wide={wide}
        onChosen={onChosen}
      />
      <MenuGroup
        label={t('saas')}
        icon={IconBuildingSkyscraper}
        entries={saas}
        wide={wide}
        onChosen={onChosen}
      />
      <span className={classes.gap} />
      <hr className={classes.line} />
      <button
        type="button"
        className={classes.item}
        onClick={onToggle}
        aria-label={fold}
        data-hint={wide ? undefined : fold}
        data-hint-side="right"
      >
        <Fold size={20} stroke={1.75} aria-hidden />
        {wide && <span className={classes.label}>{fold}</span>}
      </button>
    </nav>
  )
}

function Item({ entry, wide, onChosen }: { entry: MenuEntry; wide: boolean; onChosen(): void }) {
  const { path, label, icon: Icon, Mark } = entry
  return (
    <NavLink
      to={path}
      className={classes.item}
      onClick={onChosen}
      data-hint={wide ? undefined : label()}
      data-hint-side="right"
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={wide ? classes.label : 'sr-only'}>{label()}</span>
      {Mark && (
        <span className={classes.mark}>
          <Boundary instead={null}>
            <Mark />
          </Boundary>
        </span>
      )}
    </NavLink>
  )
}
