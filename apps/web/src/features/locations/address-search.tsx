import type { FoundAddress } from '@balcao/contract/locations.ts'
import { Button, TextInput } from '@mantine/core'
import { IconMapPin, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { useBranding } from '../../shell/branding.ts'
import { addressSearch } from './locations.api.ts'
import classes from './locations.module.css'
import { useLocationText } from './locations.text.ts'

/** Looks an address up with the operator's maps key; without one it shows that none is set. */
export function AddressSearch({ onFound }: { onFound(place: FoundAddress): void }) {
  const t = useLocationText()
  const { mapsKey } = useBranding()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const { data, error, isFetching } = useQuery(addressSearch(asked))
  if (!mapsKey) return <p className={classes.lacks}>{t('noKey')}</p>
  const ready = typed.trim().length > 2
  const search = () => {
    if (ready) setAsked(typed.trim())
  }
  return (
    <div>
      <div className={classes.address}>
        <TextInput
          label={t('address')}
          value={typed}
          maxLength={200}
          onChange={event => setTyped(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            search()
          }}
        />
        <Button
          variant="default"
          leftSection={<IconSearch size={16} aria-hidden />}
          loading={isFetching}
          disabled={!ready}
          onClick={search}
        >
          {t('find')}
        </Button>
      </div>
      <div role="status">
        {error && <p className={classes.lacks}>{errorText(error)}</p>}
        {data?.length === 0 && <p className={classes.lacks}>{t('addressNotFound')}</p>}
      </div>
      {data && data.length > 0 && (
        <ul className={classes.found} aria-label={t('found')}>
          {data.map(place => (
            <li key={`${place.latitude} ${place.longitude} ${place.address}`}>
              <button
                type="button"
                onClick={() => {
                  setAsked('')
                  onFound(place)
                }}
              >
                <IconMapPin size={18} stroke={1.75} aria-hidden />
                {place.address}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
