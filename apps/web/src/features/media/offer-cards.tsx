import type { GroupInviteData, ProductData } from '@balcao/contract/kinds.ts'
import { IconShoppingBag, IconUsersGroup } from '@tabler/icons-react'
import { htmlLanguage, language } from '../../platform/text.ts'
import { clock } from '../../platform/time.ts'
import classes from './cards.module.css'
import { Formatted } from './formatted.tsx'
import { useOfferText } from './media.offers.text.ts'

/** A product of a catalogue. */
export function ProductCard({ product }: { product: ProductData }) {
  const t = useOfferText()
  const { title, description, price, currency, url, note } = product
  return (
    <div className={classes.card}>
      <span className={classes.fact}>
        <IconShoppingBag size={15} stroke={1.75} aria-hidden />
        {t('product')}
      </span>
      {title && <strong>{title}</strong>}
      {price !== null && (
        <span>
          {price.toLocaleString(htmlLanguage[language()], currency ? { style: 'currency', currency } : {})}
        </span>
      )}
      {description && <Formatted text={description} />}
      {/^https?:\/\//i.test(url) && (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow">
          {t('page')}
        </a>
      )}
      {note && <Formatted text={note} />}
    </div>
  )
}

/** An invitation to a group: it is joined on the phone. */
export function InviteCard({ invite }: { invite: GroupInviteData }) {
  const t = useOfferText()
  const { name, note, until } = invite
  return (
    <div className={classes.card}>
      <span className={classes.fact}>
        <IconUsersGroup size={15} stroke={1.75} aria-hidden />
        {t('invite')}
      </span>
      {name && <strong>{name}</strong>}
      {note && <Formatted text={note} />}
      {until && <span>{t('until', { time: clock(until).format('L LT') })}</span>}
      <span>{t('onPhone')}</span>
    </div>
  )
}
