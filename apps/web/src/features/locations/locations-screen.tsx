import type { Location } from '@balcao/contract/locations.ts'
import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertCircle, IconArrowLeft, IconMapPin, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Page } from '../../ui/page.tsx'
import { LocationDialog } from './location.dialog.tsx'
import { LocationCard } from './location-card.tsx'
import { locationList, removeLocation } from './locations.api.ts'
import { locationMenuText } from './locations.menu.text.ts'
import classes from './locations.module.css'
import { locationText } from './locations.text.ts'

/** Places that the company sends often. The address says which dialog is open. */
export default function LocationsScreen() {
  const t = locationText()
  const inMenu = locationMenuText()
  const navigate = useNavigate()
  const { locationId } = useParams()
  const [typed, setTyped] = useState('')
  const [searchParam] = useDebouncedValue(typed.trim(), 300)
  const [removing, setRemoving] = useState<Location | null>(null)
  const list = useInfiniteQuery({ ...locationList(searchParam), placeholderData: keepPreviousData })
  const found = list.data?.pages.flatMap(page => page.locations)
  const waiting = list.isPending || list.data?.pages.length === 0
  return (
    <Page
      title={inMenu('locations')}
      actions={
        <>
          <TextInput
            aria-label={t('search')}
            placeholder={t('search')}
            maxLength={100}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
          />
          <IconButton label={t('back')} onClick={() => void navigate(-1)}>
            <IconArrowLeft size={19} stroke={1.75} />
          </IconButton>
          <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate('/locations/new')}>
            {t('add')}
          </Button>
        </>
      }
    >
      {waiting && !list.isError && <p role="status">{t('loading')}</p>}
      {list.isError && (
        <Empty
          icon={<IconAlertCircle size={26} />}
          title={t('failed')}
          action={
            <Button variant="default" onClick={() => void list.refetch()}>
              {t('again')}
            </Button>
          }
        >
          {errorText(list.error)}
        </Empty>
      )}
      {!waiting && found?.length === 0 && (
        <Empty icon={<IconMapPin size={26} />} title={t(searchParam ? 'noneFound' : 'none')}>
          {!searchParam && t('noneHint')}
        </Empty>
      )}
      <ul className={classes.cards}>
        {found?.map(location => (
          <LocationCard
            key={location.id}
            location={location}
            onEdit={() => void navigate(`/locations/${location.id}`)}
            onRemove={() => setRemoving(location)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {locationId && (
        <LocationDialog
          key={locationId}
          locationId={locationId === 'new' ? null : Number(locationId)}
          onClose={() => void navigate('/locations')}
        />
      )}
      {removing && <RemoveLocation location={removing} onClose={() => setRemoving(null)} />}
    </Page>
  )
}

function RemoveLocation({ location, onClose }: { location: Location; onClose(): void }) {
  const t = locationText()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await removeLocation(location.id).then(() => notify.done(t('deleted')), notify.failed)
    onClose()
  }
  return (
    <Confirm
      title={t('removeTitle', { name: location.name })}
      confirm={t('remove')}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {t('removeHint')}
    </Confirm>
  )
}
