import type { Location } from '@balcao/contract/locations.ts'
import { IconMapPin } from '@tabler/icons-react'
import { ListStates, NoRows } from '../../ui/list-screen/list-states.tsx'
import { useLoadOn } from '../../ui/list-screen/load-on.ts'
import type { List } from '../../ui/list-screen/use-list.ts'
import { LocationCard } from './location-card.tsx'
import classes from './locations.module.css'
import { useLocationText } from './locations.text.ts'

interface Props {
  label: string
  list: List<Location>
  /** Omitted where the locations are read-only. */
  change?: { path: string; onRemove(location: Location): void }
}

/** Locations as cards; more are loaded on scroll. */
export function LocationCards({ label, list, change }: Props) {
  const t = useLocationText()
  const scroller = useLoadOn<HTMLDivElement>(list)
  return (
    <div {...scroller} className={classes.scroller}>
      <ul className={classes.cards} aria-label={label}>
        {list.rows.map(location => (
          <LocationCard
            key={location.id}
            location={location}
            {...(change && {
              change: { path: `${change.path}/${location.id}`, onRemove: () => change.onRemove(location) },
            })}
          />
        ))}
      </ul>
      <ListStates list={list}>
        <NoRows list={list} icon={<IconMapPin size={26} />} title={t('none')} hint={t('noneHint')} />
      </ListStates>
    </div>
  )
}
