import { Notifications } from '@mantine/notifications'

/** Where notices stand. It comes after the first screen; what was said meanwhile is shown then. */
export default function Notices() {
  return <Notifications position="bottom-left" limit={3} containerWidth={380} zIndex={400} />
}
