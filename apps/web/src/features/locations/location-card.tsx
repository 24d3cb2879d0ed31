import type { Location } from '@balcao/contract/locations.ts'
import { IconExternalLink } from '@tabler/icons-react'
import { RowActions, useWhyNot } from '../../ui/list-screen/row-actions.tsx'
import classes from './locations.module.css'
import { useLocationText } from './locations.text.ts'
import { MapPreview, mapAddress } from './map-preview.tsx'

interface Props {
  location: Location
  /** Its dialog's address, and its deletion; omitted where it is read-only. */
  change?: { path: string; onRemove(): void }
}

/** One location with its actions. */
export function LocationCard({ location, change }: Props) {
  const whyNot = useWhyNot('shared:delete')
  const t = useLocationText()
  const { name } = location
  return (
    <li className={classes.card}>
      <span className={classes.preview}>
        <MapPreview point={location} label={t('mapOf', { name })} />
      </span>
      <div className={classes.foot}>
        <span className={classes.words}>
          <strong className="one-line" title={name}>
            {name}
          </strong>
          <a href={mapAddress(location)} target="_blank" rel="noopener noreferrer">
            {t('openMap')}
            <IconExternalLink size={14} stroke={2} aria-hidden />
          </a>
        </span>
        {change && <RowActions name={name} edit={change.path} onRemove={change.onRemove} whyNot={whyNot} />}
      </div>
    </li>
  )
}
