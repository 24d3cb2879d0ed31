import { placeIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconExternalLink, IconMapPinOff } from '@tabler/icons-react'
import { coordinates, MapPreview, mapAddress } from '../locations/map-preview.tsx'
import { Missing } from './file.tsx'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'

/** A location: map, name, and a link to directions. */
export function PlaceCard({ message }: { message: Message }) {
  const t = useMediaText()
  const place = placeIn(message)
  if (!place)
    return <Missing icon={<IconMapPinOff size={22} stroke={1.75} aria-hidden />} text={t('badPlace')} />
  const name = place.name || (place.isLive ? t('live') : t('location'))
  return (
    <div className={classes.place}>
      <span className={classes.map}>
        <MapPreview point={place} label={t('mapOf', { name })} />
      </span>
      <span className={classes.facts}>
        <strong>{name}</strong>
        <span>{place.address || coordinates(place)}</span>
        <a href={mapAddress(place)} target="_blank" rel="noopener noreferrer nofollow">
          {t('openMap')}
          <IconExternalLink size={14} stroke={2} aria-hidden />
        </a>
      </span>
    </div>
  )
}
