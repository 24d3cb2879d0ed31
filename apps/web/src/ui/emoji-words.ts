import { folded } from '@balcao/contract/words.rules.ts'

/** What people type to find an emoji, in the three languages at once; the first letters are enough. */
const words = `
sorriso sorrir feliz smile happy sonrisa: 😀 😃 😄 😁 🙂 😊 😇 ☺️ 😺 😸
rir riso kkk gargalhada laugh lol risa jaja: 😆 😅 🤣 😂 😹
piscar wink guiño: 😉 😜
amor paixão apaixonado love amor enamorado: 🥰 😍 😘 ❤️ 💕 💞 💓 💗 💖 💘 💝 😻 💑
coração heart corazón: ❤️ 🧡 💛 💚 💙 💜 🖤 🤍 🤎 💔 ❣️ 💕 💞 💓 💗 💖 💘 💝 🥰 😍
beijo kiss beso: 😘 😗 😚 😙 👄
estrela uau star wow estrella: 🤩 ⭐ 🌟 ✨
gostoso delícia yummy rico: 😋
língua tongue lengua: 😛 😜 🤪 😝
dinheiro money dinero pagar pagamento payment pago: 🤑 💰 💵 💳 🧾
abraço hug abrazo: 🤗
silêncio quieto quiet silencio: 🤫 🤐 🔕
pensar dúvida think duda pensando: 🤔 🧐 ❓ 💭
neutro sério neutral serio: 😐 😑 😶 😏
cansado sono dormir tired sleep cansado sueño: 😪 😴 🥱 😫 😩 💤 🛏️
doente febre sick ill enfermo fiebre: 😷 🤒 🤕 🤢 🤮 🤧 🤥
calor quente hot calor: 🥵 🔥 ☀️
frio cold frío: 🥶 ❄️
tonto dizzy mareado: 😵 🥴 💫
surpreso susto surprise sorpresa: 😮 😯 😲 😳 🤯 😱 🙀
festa parabéns aniversário party birthday fiesta cumpleaños felicidades congratulations: 🥳 🎉 🎊 🎈 🎁 🎂 🍰 🥂
legal óculos cool genial: 😎 🤓 👌 🤙
triste sad triste: 😕 😟 🙁 😔 😞 😢 😥 😿
chorar cry llorar: 😢 😭 😥 😹
medo fear miedo: 😨 😰 😱 👻
raiva bravo angry enojado: 😤 😡 😠 🤬 😈 💢
caveira skull calavera: 💀
cocô poop caca: 💩
robô bot robot: 🤖
olá oi tchau hello hi bye hola adiós: 👋 🤚 🖐️ ✋ 🙋
ok certo perfeito perfect bien perfecto: 👌 👍 ✅ 🆗 💯
sim joia positivo yes sí like curtir: 👍 ✅ 🙆 🤙
não no negativo dislike: 👎 ❌ 🚫 🙅
vitória paz victory peace paz: ✌️ 🏆 🥇
sorte luck suerte: 🤞 🍀
apontar point señalar: 👈 👉 👆 👇 ☝️ ➡️ ⬅️ ⬆️ ⬇️
aplauso palmas clap bravo aplauso: 👏 🙌
acordo combinado aperto deal agreement acuerdo trato: 🤝
obrigado obrigada por favor amém thanks please gracias rezar pray: 🙏 🤲 💐
escrever write escribir assinar sign firmar: ✍️ 📝
força forte strong fuerte: 💪
olho ver olhar eye see look ojo mirar: 👀 👁️ 👓
bebê baby bebé: 👶
criança child niño: 🧒 👦 👧
homem man hombre: 👨 👴 👦
mulher woman mujer: 👩 👵 👧
família family familia: 👪
médico doctor: 🧑‍⚕️ 🩺 💊 🏥
professor teacher maestro: 🧑‍🏫
cozinheiro cook chef cocinero: 🧑‍🍳 🍳
trabalho trabalhador work trabajo: 🧑‍🔧 🧑‍💼 🧑‍💻 💻 🔧 🛠️
natal christmas navidad: 🎅 🎄 🎁
correr run: 🏃
dançar dance bailar: 💃 🕺
cachorro cão dog perro: 🐶 🐺
gato cat: 🐱 😺 😸 😹 😻 😼 🦁 🐯
rato mouse ratón: 🐭 🐹
coelho rabbit conejo: 🐰
animal bicho: 🐶 🐱 🐭 🐹 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🐔 🐧 🐦 🦆 🦉 🐴 🦄 🐢 🐍 🐙 🐠 🐬 🐳
pássaro bird pájaro: 🐦 🦆 🦉 🐔 🐧
peixe fish pez pescado: 🐠 🐬 🐳 🍣
borboleta abelha butterfly bee mariposa abeja: 🦋 🐝 🐞
flor flower: 🌷 🌹 🌺 🌻 🌼
planta árvore tree plant árbol: 🌵 🎄 🌲 🌴 🌱 🍀 🍁
sol sun: 🌞 ☀️ ⛅ 🏖️
lua noite moon night luna noche: 🌝 🌙
raio rápido lightning fast rayo: ⚡ 🚀 ⏩
fogo fire fuego: 🔥
arco-íris rainbow arcoíris: 🌈
chuva rain lluvia: 🌧️ ☔ ☁️
mar onda praia sea beach playa: 🌊 🏖️ ⛵
fruta fruit: 🍎 🍐 🍊 🍋 🍌 🍉 🍇 🍓 🍒 🍑 🥭 🍍 🥥 🥝
maçã apple manzana: 🍎
banana: 🍌
abacate avocado aguacate: 🥑
verdura legume vegetable verdura: 🍅 🥑 🍆 🥔 🥕 🌽 🌶️ 🥦 🧄 🧅 🥗
pão bread pan: 🍞 🥐 🥖 🥪
queijo cheese queso: 🧀
carne meat: 🥩 🍗 🥓 🍔
comida almoço jantar food lunch dinner comida cena: 🍔 🍟 🍕 🥪 🌮 🌯 🥗 🍝 🍜 🍣 🍱 🍚 🍳
pizza: 🍕
doce sobremesa sweet dessert dulce postre: 🍦 🍩 🍪 🎂 🍰 🧁 🍫 🍬 🍭
café coffee: ☕
chá tea té: 🍵
bebida cerveja drink beer bebida cerveza: 🥤 🍺 🍻 🥂 🍷 🍹
casa home house: 🏠 🏡 🚪
prédio loja empresa building shop store edificio tienda: 🏢 🏪 🏦 🏫 ⛪ 🏥
banco bank: 🏦 💳 💰
carro car carro coche: 🚗 🚕 🚦
ônibus bus: 🚌
ambulância emergência emergency ambulancia: 🚑 🚒
entrega caminhão frete delivery truck camión envío entrega: 🚚 📦 🛵 🧾
bicicleta moto bike: 🚲 🛵
avião viagem plane travel avión viaje: ✈️ 🗺️ 🏖️
foguete rocket cohete: 🚀
navio barco ship: ⛵ 🚢
mapa map localização location ubicación: 🗺️ 📌
presente gift regalo: 🎁
troféu prêmio trophy prize premio: 🏆 🥇
futebol bola ball football fútbol: ⚽ 🏀 🏐 🎾
jogo game juego: 🎮
música music: 🎵 🎶 🎤 🎧 🎸
telefone celular phone teléfono ligar call llamar: 📱 📞
computador computer computadora: 💻 🖨️ 🧑‍💻
foto câmera photo camera cámara: 📷 📹
relógio hora tempo clock time reloj hora: ⏰ ⌛
ideia luz idea light: 💡 🔦
compra carrinho cart buy compra carrito: 🛒 📦
correio carta mail correo: 📫 📝
documento arquivo document documento archivo: 📄 📝 📎 🧾
data agenda calendário date calendar fecha calendario: 📅
gráfico chart gráfico: 📈 📉
anexo clipe clip: 📎
tesoura scissors tijera: ✂️
senha chave segurança password key lock clave llave: 🔒 🔑
ferramenta conserto tool repair herramienta: 🔧 🔨 🛠️ ⚙️
sofá móvel couch sofa furniture: 🛋️ 🛏️ 🚪
remédio medicine medicina: 💊 🩺
limpeza clean limpieza: 🧴 🧹
certo feito pronto done check listo: ✅ 👍 ☑️
errado erro wrong error: ❌ ⚠️ 🚫 ⭕
atenção aviso warning atención aviso: ⚠️ ❗ 🔔
pergunta question pregunta: ❓
cem hundred cien: 💯
mensagem message mensaje fala: 💬 💭 📝
mais plus más: ➕
menos minus: ➖
seta arrow flecha: ➡️ ⬅️ ⬆️ ⬇️ 🔄
sino bell campana: 🔔 🔕
cor bolinha color círculo circle: 🔴 🟠 🟡 🟢 🔵 🟣 ⚫ ⚪
número number: #️⃣ 1️⃣ 2️⃣ 3️⃣ 4️⃣ 5️⃣ 6️⃣
novo new nuevo: 🆕
grátis free gratis: 🆓
brasil brazil bandeira flag bandera: 🇧🇷 🇵🇹 🇪🇸 🇺🇸
`

const index = words
  .trim()
  .split('\n')
  .map(line => {
    const [names = '', found = ''] = line.split(': ')
    return { names: folded(names).split(' '), found: found.split(' ') }
  })

/** Emojis for a typed text: each of its words begins a name. */
export function findEmojis(typed: string): string[] {
  const asked = folded(typed).split(/\s+/).filter(Boolean)
  const hits = asked.map(
    word =>
      new Set(index.flatMap(({ names, found }) => (names.some(name => name.startsWith(word)) ? found : []))),
  )
  const [first, ...others] = hits
  return [...(first ?? [])].filter(emoji => others.every(hit => hit.has(emoji)))
}
