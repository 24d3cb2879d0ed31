import { type Location, locations } from '@balcao/contract/locations.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { useViewer } from '../../platform/session.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { MapPreview } from '../locations/map-preview.tsx'
import { composeText } from './messages.compose.text.ts'
import { sendKnown } from './messages.send.ts'
import classes from './send.module.css'

interface Props {
  ticket: Ticket
  quoted: Message | null
  onSent(): void
  onClose(): void
}

/** Chooses one of the company's places; asked once more, it is sent. */
export default function SendPlaceDialog({ ticket, quoted, onSent, onClose }: Props) {
  const t = composeText()
  const [typed, setTyped] = useState('')
  const [searchParam] = useDebouncedValue(typed.trim(), 300)
  const [chosen, setChosen] = useState<Location | null>(null)
  const { data, error } = useQuery({
    queryKey: ['locations', 'pick', searchParam],
    queryFn: () => call(locations.list, { query: { searchParam } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
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
        label={t('searchPlace')}
        value={typed}
        maxLength={100}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      {error && <p className={classes.note}>{errorText(error)}</p>}
      {!data && !error && <p className={classes.note}>{t('loading')}</p>}
      {data?.locations.length === 0 && (
        <p className={classes.note} role="status">
          {t(searchParam ? 'noneFound' : 'noPlaces')}
        </p>
      )}
      <ul className={classes.places}>
        {data?.locations.map(place => (
          <li key={place.id}>
            <span className={classes.map}>
              <MapPreview point={place} label={t('mapOf', { name: place.name })} />
            </span>
            <span className={classes.named}>
              <strong className="one-line" title={place.name}>
                {place.name}
              </strong>
              <Button
                size="xs"
                variant="default"
                aria-label={t('sendNamed', { name: place.name })}
                onClick={() => setChosen(place)}
              >
                {t('sendThis')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function ConfirmPlace({ ticket, quoted, place, onSent, onClose }: Props & { place: Location }) {
  const t = composeText()
  const viewer = useViewer()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    // the documents ask that a place which could not be sent is only logged
    await sendKnown(ticket, viewer, { locationId: place.id }, quoted).catch(error =>
      console.error('the location was not sent', error),
    )
    onSent()
  }
  return (
    <Confirm
      title={t('confirmPlace', { name: place.name })}
      confirm={t('sendThis')}
      busy={busy}
      onConfirm={() => void send()}
      onClose={onClose}
    />
  )
}
