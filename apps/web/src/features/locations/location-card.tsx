import type { Location } from '@balcao/contract/locations.ts'
import { IconExternalLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './locations.module.css'
import { locationText } from './locations.text.ts'
import { MapPreview, mapAddress } from './map-preview.tsx'

interface Props {
  location: Location
  onEdit(): void
  onRemove(): void
}

/** One place: where it is, and what may be done with it. */
export function LocationCard({ location, onEdit, onRemove }: Props) {
  const t = locationText()
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
        <IconButton label={t('editNamed', { name })} onClick={onEdit}>
          <IconPencil size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={t('removeNamed', { name })} onClick={onRemove}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
    </li>
  )
}
