import { placeIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { IconExternalLink, IconMapPinOff } from '@tabler/icons-react'
import { clock } from '../../platform/time.ts'
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
        {place.isLive && <Live since={message.createdAt} movedAt={place.movedAt ?? message.createdAt} />}
        <a href={mapAddress(place)} target="_blank" rel="noopener noreferrer nofollow">
          {t('openMap')}
          <IconExternalLink size={14} stroke={2} aria-hidden />
        </a>
      </span>
    </div>
  )
}

/** WhatsApp offers 15 minutes, one hour and eight. */
const LONGEST_MS = 8 * 3_600_000

/** How long it is shared is not transmitted: it is over after the longest time that phones offer. */
function Live({ since, movedAt }: { since: string; movedAt: string }) {
  const t = useMediaText()
  const isOver = Date.now() - Date.parse(since) > LONGEST_MS
  return <span>{isOver ? t('liveOver') : t('movedAt', { time: clock(movedAt).format('HH:mm') })}</span>
}
