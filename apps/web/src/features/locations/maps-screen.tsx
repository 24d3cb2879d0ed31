import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { LocationCards } from './location-cards.tsx'
import { locationList } from './locations.api.ts'
import { useLocationText } from './locations.text.ts'

/** The company's locations, read-only (OP-50). */
export default function MapsScreen() {
  const title = useLocationText()('maps')
  const list = useList(locationList)
  return (
    <ListScreen path="/maps" title={title} list={list}>
      <LocationCards label={title} list={list} />
    </ListScreen>
  )
}
