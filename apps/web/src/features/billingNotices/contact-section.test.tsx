import { BillingNotice, billingNotices, SubscriptionContact } from '@balcao/contract/billingNotices.ts'
import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { leads } from '@balcao/contract/leads.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const company = sample(ClientCompany, { id: 2, name: 'Lume Móveis' })

/** Billing contacts; one of two numbers has WhatsApp. */
const answering =
  (rows: SubscriptionContact[]) =>
  (server: Server): Server =>
    server
      .on(clients.show, company)
      .on(leads.findWhatsapp, ({ params }) => ({
        exists: params.number.endsWith('7777'),
        number: params.number,
      }))
      .on(billingNotices.listContacts, () => rows)
      .on(billingNotices.addContact, ({ body }) => {
        rows.push(sample(SubscriptionContact, { ...body, id: 5, companyId: 2 }))
        return rows.at(-1)!
      })
      .on(billingNotices.changeContact, ({ body }) => {
        rows[0] = { ...rows[0]!, ...body }
        return rows[0]
      })
      .on(billingNotices.removeContact, () => {
        rows.pop()
        return {}
      })

test('who pays names who hears of invoices; the number is asked of WhatsApp; the operator changes it, too (NSUB-001 … NSUB-010, GEN-006, OP-16) [GEN-006, GEN-025, ERR-028, COMPANY-001 … COMPANY-012, OP-16, NSUB-001 … NSUB-010]', async () => {
  const rows: SubscriptionContact[] = []
  const page = enter('/clientCompanyManager', helena, { answers: answering(rows) })
  await page.sees('Nenhum contato ainda')
  await page.press('Adicionar contato')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Nome', 'Rute')
  await dialog.fill('E-mail', 'rute@pagador.test')
  await dialog.fill('WhatsApp', '+55 (11) 98888-7777')
  await dialog.fill('Nome', 'Rute')
  await page.sees('Este numero possui um WhatsApp')
  expect(await dialog.field('WhatsApp')).toHaveValue('5511988887777')
  for (const event of ['Fatura criada', 'Vencimento', 'Atraso', 'Pagamento confirmado'])
    for (const way of ['WhatsApp', 'e-mail'])
      expect(await dialog.find('switch', `${event} por ${way}`)).toBeChecked()
  expect(await dialog.field('Lembrar antes do vencimento')).toHaveValue('5')
  await dialog.choose('Lembrar de novo depois', 'Desativado')
  await dialog.press('Atraso por WhatsApp')
  await dialog.press('Salvar')
  await page.closed()
  expect(rows[0]).toMatchObject({
    ...{ contactName: 'Rute', whatsapp: '5511988887777', whatsappVAlidatedNumber: 'valido' },
    ...{ whatsappDelayedPayment: false, invoiceDaysAfterExpiration: 0, invoiceDaysBeforeExpiration: 5 },
  })
  page.server.complaints.length = 0

  const theirs = enter('/companiesManager/2', operator, { answers: answering(rows) })
  await theirs.press('Editar Rute')
  const mine = theirs.dialog()
  // the number is not on WhatsApp: the field keeps its value
  await mine.fill('WhatsApp', '551198880000')
  await mine.fill('Nome', 'Rute Dias')
  expect(await mine.find('status')).toHaveTextContent('Este numero não possui um WhatsApp')
  await mine.press('Salvar')
  await expect.poll(() => mine.element.textContent?.match(/não possui um WhatsApp/g)?.length).toBe(2)
  await mine.fill('WhatsApp', '')
  await mine.press('Salvar')
  await theirs.closed()
  await theirs.sees('Rute Dias')
  await theirs.press('Excluir Rute Dias')
  await theirs.dialog().press('Excluir')
  await theirs.sees('Nenhum contato ainda')
  theirs.server.complaints.length = 0
})

test('a notice that is held, or was too late, shows why; one of a trial has no invoice', async () => {
  const notices = samples(BillingNotice, [
    { id: crypto.randomUUID(), invoiceId: 7, kind: 'invoiceCreated', state: 'held', reason: 'noAddress' },
    { id: crypto.randomUUID(), invoiceId: null, kind: 'trialSoon', state: 'dropped', reason: 'late' },
  ])
  const page = enter('/clientCompanyManager', helena, {
    answers: server => answering([])(server).on(billingNotices.listNotices, { notices, hasMore: false }),
  })
  await page.sees('Retido', 'Falta o endereço do sistema (BACKEND_URL)')
  await page.sees('Teste termina em 3 dias', 'Passou da hora')
  page.server.complaints.length = 0
})
