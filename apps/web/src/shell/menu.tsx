import { may } from '@balcao/contract/permissions.rules.ts'
import { Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { features } from '../features.ts'
import { useViewer } from '../platform/session.tsx'
import { texts, useLanguage } from '../platform/text.ts'
import classes from './menu.module.css'

const useText = texts({
  menu: ['Menu principal', 'Main menu', 'Menú principal'],
  collapse: ['Recolher menu', 'Collapse menu', 'Contraer menú'],
  expand: ['Expandir menu', 'Expand menu', 'Expandir menú'],
})

const entries = features.flatMap(feature => feature.menu ?? [])

/** 240 wide with words, 56 with icons; on a phone it stands over the sheet while it is needed. */
export function Menu({ wide, onChosen, onToggle }: { wide: boolean; onChosen(): void; onToggle(): void }) {
  const viewer = useViewer()
  const t = useText()
  useLanguage()
  const Fold = wide ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  return (
    <nav className={classes.menu} data-wide={wide || undefined} aria-label={t('menu')}>
      {entries
        .filter(entry => !entry.needs || may(viewer, entry.needs))
        .map(({ path, label, icon: Icon, Mark }) => (
          <Tooltip key={path} label={label()} position="right" disabled={wide}>
            <NavLink to={path} className={classes.item} onClick={onChosen}>
              <Icon size={20} stroke={1.75} aria-hidden />
              <span className={wide ? classes.label : 'sr-only'}>{label()}</span>
              {Mark && (
                <span className={classes.mark}>
                  <Mark />
                </span>
              )}
            </NavLink>
          </Tooltip>
        ))}
      <span className={classes.gap} />
      <Tooltip label={t(wide ? 'collapse' : 'expand')} position="right" disabled={wide}>
        <button
          type="button"
          className={classes.item}
          onClick={onToggle}
          aria-label={t(wide ? 'collapse' : 'expand')}
        >
          <Fold size={20} stroke={1.75} aria-hidden />
          {wide && <span className={classes.label}>{t('collapse')}</span>}
        </button>
      </Tooltip>
    </nav>
  )
}
