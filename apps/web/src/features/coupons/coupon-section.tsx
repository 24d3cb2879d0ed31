import type { Coupon } from '@balcao/contract/pricing.ts'
import { Button, Group } from '@mantine/core'
import { IconDiscount2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CouponDialog } from './coupon.dialog.tsx'
import { closeCoupon, couponList } from './coupons.api.ts'
import { reductionText } from './coupons.shapes.ts'
import { useCouponText } from './coupons.text.ts'

/** The coupons with which people sign up in the store. */
export function CouponSection() {
  const t = useCouponText()
  const { data } = useQuery(couponList)
  const [adding, setAdding] = useState(false)
  return (
    <FieldSection legend={t('coupons')}>
      <Group justify="flex-end" mb={12}>
        <Button variant="default" onClick={() => setAdding(true)}>
          {t('addCoupon')}
        </Button>
      </Group>
      {data && (
        <Table
          label={t('coupons')}
          columns={columnsOf(t)}
          rows={data}
          keyOf={({ id }) => id}
          empty={<Empty icon={<IconDiscount2 size={26} />} title={t('noCoupons')} />}
        />
      )}
      {adding && <CouponDialog onClose={() => setAdding(false)} />}
    </FieldSection>
  )
}

const close = (id: number) => void closeCoupon(id).catch(notify.failed)

const columnsOf = (t: typeof useCouponText.read): Column<Coupon>[] => [
  { key: 'code', head: t('code'), kind: 'name', cell: ({ code }) => code },
  { key: 'gives', head: t('gives'), cell: one => reductionText(one) },
  { key: 'periods', head: t('periods'), kind: 'number', cell: ({ periods }) => periods },
  {
    key: 'uses',
    head: t('uses'),
    cell: ({ uses, mostUses }) => (mostUses === null ? uses : t('usesOf', { uses, most: mostUses })),
  },
  { key: 'ends', head: t('endsOn'), cell: ({ endsOn }) => endsOn && shownTime(endsOn).format('L') },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: ({ id, code, isOpen }) =>
      isOpen ? (
        <Button variant="default" size="xs" aria-label={t('closeNamed', { code })} onClick={() => close(id)}>
          {t('close')}
        </Button>
      ) : (
        t('closed')
      ),
  },
]
