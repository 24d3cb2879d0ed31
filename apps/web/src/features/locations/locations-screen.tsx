import type { Location } from '@balcao/contract/locations.ts'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { useGoTo } from '../../ui/go-to.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { LocationDialog } from './location.dialog.tsx'
import { LocationCards } from './location-cards.tsx'
import { locationList, removeLocation } from './locations.api.ts'
import { useLocationMenuText } from './locations.menu.text.ts'
import { useLocationText } from './locations.text.ts'

const PATH = '/locations'

/** Locations that the company sends often. */
export default function LocationsScreen() {
  const t = useLocationText()
  const title = useLocationMenuText()('locations')
  const list = useList(locationList)
  const [removing, setRemoving] = useState<Location | null>(null)
  return (
    <ListScreen
      path={PATH}
      title={title}
      list={list}
      actions={<Back />}
      add={t('add')}
      dialog={LocationDialog}
    >
      <LocationCards label={title} list={list} change={{ path: PATH, onRemove: setRemoving }} />
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { name: removing.name })}
          done={t('deleted')}
          remove={() => removeLocation(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {t('removeHint')}
        </RemoveDialog>
      )}
    </ListScreen>
  )
}

function Back() {
  const t = useLocationText()
  const goTo = useGoTo()
  return (
    <IconButton label={t('back')} onClick={() => goTo(-1)}>
      <IconArrowLeft size={19} stroke={1.75} />
    </IconButton>
  )
}
