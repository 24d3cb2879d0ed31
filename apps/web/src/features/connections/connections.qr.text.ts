import { texts } from '../../platform/text.ts'

/** Texts of the dialog of the QR code, without the steps. */
export const useQrText = texts({
  next: [
    'Depois de ler o código, esta janela fecha sozinha e a conexão fica pronta em alguns segundos. Mantenha o celular com internet.',
    'Once the code is read this window closes by itself and the connection is ready in a few seconds. Keep the phone online.',
    'Después de leer el código, esta ventana se cierra sola y la conexión queda lista en unos segundos. Mantenga el celular con internet.',
  ],
  noCamera: ['Não consegue ler? Use um código', 'Cannot scan? Use a code', '¿No puede leerlo? Use un código'],
  noNumber: [
    'Escreva o número com DDD; de outro país, com + e o código',
    'Write the number with its area code; of another country, with + and its code',
    'Escriba el número con código de área; de otro país, con + y el código',
  ],
  ranOut: [
    'O código de {name} expirou sem ser lido. Clique em Novo QR Code para tentar de novo.',
    'The code of {name} ran out before it was read. Press New QR code to try again.',
    'El código de {name} venció sin ser leído. Pulse Nuevo código QR para intentar de nuevo.',
  ],
  ready: [
    '{name} está conectada. O que os clientes escreverem aparece em Aguardando.',
    '{name} is connected. What customers write appears under Waiting.',
    '{name} está conectada. Lo que escriban los clientes aparece en Esperando.',
  ],
})
