import type { Location } from '@balcao/contract/locations.ts'
import type { PlaceData } from '@balcao/contract/media.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { errorText } from '../../../platform/errors.text.ts'
import { useViewer } from '../../../platform/session.tsx'
import { PICKER_MIN } from '../../../platform/typing.ts'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { useLoadOn } from '../../../ui/list-screen/load-on.ts'
import { useList } from '../../../ui/list-screen/use-list.ts'
import { locationList } from '../../locations/locations.api.ts'
import { MapPreview } from '../../locations/map-preview.tsx'
import { sendKnown } from '../sending/send.ts'
import { useDialogText } from './composer.dialogs.text.ts'
import { useComposeText } from './composer.text.ts'
import classes from './send.module.css'

interface Props {
  ticket: Ticket
  quoted: Message | null
  onSent(): void
  onClose(): void
}

/** Chooses one of the company's locations; it is sent after a confirmation. */
export default function SendPlaceDialog({ ticket, quoted, onSent, onClose }: Props) {
  const t = useComposeText()
  const d = useDialogText()
  const list = useList(locationList, { minimum: PICKER_MIN, begun: '' })
  const scroller = useLoadOn<HTMLUListElement>(list)
  const [chosen, setChosen] = useState<Location | null>(null)
  if (chosen)
    return (
      <ConfirmPlace
        ticket={ticket}
        quoted={quoted}
        place={chosen}
        onSent={() => {
          onSent()
          onClose()
        }}
        onClose={() => setChosen(null)}
      />
    )
  return (
    <Dialog title={t('place')} onClose={onClose} size={720}>
      <TextInput
        data-autofocus
        label={d('searchPlace')}
        value={list.typed}
        maxLength={100}
        onChange={event => list.type(event.currentTarget.value)}
      />
      {list.error && <p className={classes.note}>{errorText(list.error)}</p>}
      {list.isPending && !list.error && <p className={classes.note}>{d('loading')}</p>}
      {!list.isPending && !list.error && list.rows.length === 0 && (
        <p className={classes.note} role="status">
          {d(list.searchParam ? 'noneFound' : 'noPlaces')}
        </p>
      )}
      <ul {...scroller} className={classes.places}>
        {list.rows.map(place => (
          <li key={place.id}>
            <span className={classes.map}>
              <MapPreview point={place} label={d('mapOf', { name: place.name })} />
            </span>
            <span className={classes.named}>
              <strong className="one-line" title={place.name}>
                {place.name}
              </strong>
              <Button
                size="xs"
                variant="default"
                aria-label={d('sendNamed', { name: place.name })}
                onClick={() => setChosen(place)}
              >
                {d('sendThis')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function ConfirmPlace({ ticket, quoted, place, onSent, onClose }: Props & { place: Location }) {
  const d = useDialogText()
  const viewer = useViewer()
  const send = () => {
    const { id: locationId, name, latitude, longitude } = place
    const data: PlaceData = { latitude, longitude, name, address: '', isLive: false }
    sendKnown(ticket, viewer, { locationId }, data, quoted)
    onSent()
  }
  return (
    <Confirm
      title={d('confirmPlace', { name: place.name })}
      confirm={d('sendThis')}
      onConfirm={send}
      onClose={onClose}
    />
  )
}
