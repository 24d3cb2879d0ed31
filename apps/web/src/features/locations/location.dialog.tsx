import { cut } from '@balcao/contract/cut.rules.ts'
import { type Location, LocationInput } from '@balcao/contract/locations.ts'
import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { z } from 'zod'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { AddressSearch } from './address-search.tsx'
import { oneLocation, saveLocation } from './locations.api.ts'
import classes from './locations.module.css'
import { pointOf, written } from './locations.point.ts'
import { useLocationText } from './locations.text.ts'
import { MapPreview, SAO_PAULO } from './map-preview.tsx'

/** As users enter it: the position is one field. */
const PlaceInput = LocationInput.pick({ name: true }).extend({
  position: z.string().refine(position => pointOf(position) !== null),
})

/** Adds a location, or changes the one of the address. */
export function LocationDialog({ id, onClose }: RowDialogProps) {
  const t = useLocationText()
  return (
    <RowDialog id={id} row={oneLocation} title={t(id === null ? 'add' : 'edit')} size={620} onClose={onClose}>
      {location => <LocationForm location={location} onClose={onClose} />}
    </RowDialog>
  )
}

function LocationForm({ location, onClose }: { location: Location | null; onClose(): void }) {
  const t = useLocationText()
  return (
    <RowForm
      schema={PlaceInput}
      row={location}
      initialValues={{ name: location?.name ?? '', position: location ? written(location) : '' }}
      save={({ name, position }, _changed, seen) =>
        saveLocation(location?.id ?? null, { name, ...pointOf(position)! }, seen)
      }
      done={t(location ? 'updated' : 'created')}
      onClose={onClose}
    >
      {form => (
        <>
          <span className={classes.large}>
            <MapPreview
              point={pointOf(form.values.position)}
              label={t('mapOf', { name: form.values.name })}
            />
          </span>
          <AddressSearch
            onFound={place => {
              form.setFieldValue('position', written(place))
              if (form.values.name === '') form.setFieldValue('name', nameOf(place.address))
            }}
          />
          <TextInput label={t('name')} data-autofocus maxLength={100} {...form.getInputProps('name')} />
          <Position form={form} />
        </>
      )}
    </RowForm>
  )
}

/** On blur a pasted location becomes `lat, lng`. */
function Position({ form }: { form: UseFormReturnType<z.input<typeof PlaceInput>> }) {
  const t = useLocationText()
  const { onBlur, error, ...input } = form.getInputProps('position')
  return (
    <TextInput
      label={t('position')}
      placeholder={written(SAO_PAULO)}
      {...input}
      error={error && t('badPosition')}
      onBlur={event => {
        const point = pointOf(event.currentTarget.value)
        if (point) form.setFieldValue('position', written(point))
        onBlur(event)
      }}
    />
  )
}

/** `Av. Paulista, 1578 - Bela Vista, …`: the street is the default name. */
const nameOf = (address: string) => cut(address.split(/ - |, (?=\D)/)[0]!, 100)
