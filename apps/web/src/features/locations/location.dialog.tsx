import { type Location, LocationInput } from '@balcao/contract/locations.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { AddressSearch } from './address-search.tsx'
import { oneLocation, saveLocation } from './locations.api.ts'
import classes from './locations.module.css'
import { pointOf, written } from './locations.point.ts'
import { locationText } from './locations.text.ts'
import { MapPreview, SAO_PAULO } from './map-preview.tsx'

/** Adds a place, or changes the one of the address. */
export function LocationDialog({ locationId, onClose }: { locationId: number | null; onClose(): void }) {
  const t = locationText()
  const { data, error } = useQuery({
    ...oneLocation(locationId ?? 0),
    enabled: locationId !== null && Number.isInteger(locationId),
  })
  const missing = locationId !== null && (error !== null || !Number.isInteger(locationId))
  useEffect(() => {
    if (!missing) return
    if (error) notify.failed(error)
    onClose()
  })
  if (missing) return null
  return (
    <Dialog title={t(locationId === null ? 'add' : 'edit')} onClose={onClose} size={620}>
      {locationId !== null && !data ? (
        <p role="status">{t('loading')}</p>
      ) : (
        <LocationForm location={data ?? null} onClose={onClose} />
      )}
    </Dialog>
  )
}

function LocationForm({ location, onClose }: { location: Location | null; onClose(): void }) {
  const t = locationText()
  const [busy, setBusy] = useState(false)
  const [position, setPosition] = useState(location ? written(location) : '')
  const [wrong, setWrong] = useState(false)
  const form = useSchemaForm(LocationInput.pick({ name: true }), {
    initialValues: { name: location?.name ?? '' },
  })
  const point = pointOf(position)
  async function save({ name }: { name: string }) {
    if (!point) return setWrong(true)
    setBusy(true)
    await saveLocation(location?.id ?? null, { name, ...point }).then(
      () => {
        notify.done(t(location ? 'updated' : 'created'))
        onClose()
      },
      error => form.refused(error) || notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap={12}>
        <span className={classes.large}>
          <MapPreview point={point} label={t('mapOf', { name: form.values.name })} />
        </span>
        <AddressSearch
          onFound={place => {
            setPosition(written(place))
            if (form.values.name === '') form.setFieldValue('name', nameOf(place.address))
          }}
        />
        <TextInput label={t('name')} data-autofocus maxLength={100} {...form.getInputProps('name')} />
        <TextInput
          label={t('position')}
          placeholder={written(SAO_PAULO)}
          value={position}
          error={wrong && !point && t('badPosition')}
          onBlur={() => {
            setWrong(position !== '')
            if (point) setPosition(written(point))
          }}
          onChange={event => setPosition(event.currentTarget.value)}
        />
      </Stack>
      <DialogActions onClose={onClose}>
        <Button type="submit" loading={busy}>
          {t('save')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** `Av. Paulista, 1578 - Bela Vista, …`: the street is name enough until somebody gives a better one. */
const nameOf = (address: string) => address.split(/ - |, (?=\D)/)[0]!.slice(0, 100)
