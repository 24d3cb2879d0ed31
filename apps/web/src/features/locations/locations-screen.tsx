import type { Location } from '@balcao/contract/locations.ts'
import { IconArrowLeft, IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListStates, NoRows } from '../../ui/list-screen/list-states.tsx'
import { useLoadOn } from '../../ui/list-screen/load-on.ts'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { LocationDialog } from './location.dialog.tsx'
import { LocationCard } from './location-card.tsx'
import { locationList, removeLocation } from './locations.api.ts'
import { useLocationMenuText } from './locations.menu.text.ts'
import classes from './locations.module.css'
import { useLocationText } from './locations.text.ts'

const PATH = '/locations'

/** Places that the company sends often. */
export default function LocationsScreen() {
  const t = useLocationText()
  const title = useLocationMenuText()('locations')
  const list = useList(locationList)
  const scroller = useLoadOn<HTMLDivElement>(list)
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
      <div {...scroller} className={classes.scroller}>
        <ul className={classes.cards} aria-label={title}>
          {list.rows.map(location => (
            <LocationCard
              key={location.id}
              location={location}
              path={`${PATH}/${location.id}`}
              onRemove={() => setRemoving(location)}
            />
          ))}
        </ul>
        <ListStates list={list}>
          <NoRows list={list} icon={<IconMapPin size={26} />} title={t('none')} hint={t('noneHint')} />
        </ListStates>
      </div>
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
  const navigate = useNavigate()
  return (
    <IconButton label={t('back')} onClick={() => void navigate(-1)}>
      <IconArrowLeft size={19} stroke={1.75} />
    </IconButton>
  )
}
