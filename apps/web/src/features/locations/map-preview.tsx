import { IconMapPin } from '@tabler/icons-react'
import { useBranding } from '../../shell/branding.ts'
import classes from './locations.module.css'
import type { Point } from './locations.point.ts'

const ZOOM = 15
/** The default position. */
export const SAO_PAULO: Point = { latitude: -23.5505, longitude: -46.6333 }

/** Address of a point on a public map, opened in a new tab. */
export const mapAddress = ({ latitude, longitude }: Point) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${ZOOM}/${latitude}/${longitude}`

/** -23.55050, -46.63330: five decimal places are a metre. */
export const coordinates = ({ latitude, longitude }: Point) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

/**
 * A location at zoom 15. With the operator's maps key it is a map; without one nothing is loaded from
 * outside, and a pin with the coordinates is shown.
 */
export function MapPreview({ point, label }: { point: Point | null; label: string }) {
  const { mapsKey } = useBranding()
  if (!mapsKey)
    return (
      <span className={classes.pin}>
        <IconMapPin size={26} stroke={1.75} aria-hidden />
        {point && <span className="mono">{coordinates(point)}</span>}
      </span>
    )
  const { latitude, longitude } = point ?? SAO_PAULO
  const query = new URLSearchParams({
    key: mapsKey,
    q: `${latitude},${longitude}`,
    zoom: String(ZOOM),
  })
  return (
    <iframe
      className={classes.map}
      title={label}
      src={`https://www.google.com/maps/embed/v1/place?${query}`}
      loading="lazy"
      referrerPolicy="strict-origin-when-cross-origin"
      sandbox="allow-scripts allow-same-origin allow-popups"
    />
  )
}
