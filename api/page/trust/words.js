/** The words that hashes are read out in: the list of api/evidence/data/words.txt; a test says so. */

const LIST = `
abacus accordion acorn actor agent airplane airport albatross album alley almond alphabet alpine
amber amethyst anchor angel ankle antelope anthem antler anvil apple apricot apron aquarium arbor
arch arena armadillo arrow artichoke asparagus aspen astronaut atlas attic autumn avenue avocado
axle backpack bacon badge bagel baker balcony balloon bamboo banana banjo banner barley barn
barnacle barrel baseball basil basket bath bathtub beach bead beaver beehive beetle beginner bell
berry bicycle billiard birch bird birthday biscuit bishop bison blackbird blanket blossom
blueberry board boat bobcat bonfire bonnet book bookshelf boomerang border bottle boulder bouquet
bow bracelet bramble branch brass breeze brick bridge broccoli brochure bronze broom brother brush
bubble bucket buckle buffalo bugle bulb bulldozer bundle bunny burrow bus butter buttercup
butterfly button cabbage cabin cabinet cable cactus cake calendar camel camera camp campfire canal
canary candle candy canoe canvas captain caramel caravan cardboard cardinal cargo carousel carpet
carrot cart cartoon cashew castle catalog cauldron cedar celery cellar cello center ceramic chain
chalk champion channel chapel chapter charcoal charm cheese cherry chess chestnut chicken chimney
chip chipmunk chisel cinema cinnamon circle circus citrus city clam clarinet cliff cloak cloud
clover coach coal coast cobalt cobra cockatoo cockpit cocoa coconut coffee coin colander colony
comb comet compass composer concert copper cork corner corridor cottage cotton cougar cousin
coyote crab cradle crane crater crayon cream creek crest cricket crocus crown crumb crystal cube
cuckoo cucumber cup cupboard currant curtain curve cushion custard cycle cyclone cypress daffodil
daisy dance dawn daylight deck deer delta denim desert dew diagram dial diamond diary dinner
dinosaur disc ditch diver doctor dog doll dolphin dome domino donkey door doorbell dragon drawer
dress drift drizzle drum dumpling dune dust eagle ear earring earth easel east echo eclipse edge
eel egg eggplant elbow elder elephant elevator elk emerald empire engine envelope equator ermine
estate evening fabric factory falcon family farm farmer feather fence fern ferret festival fiddle
field fig film finch finger fire firefly fish flag flagpole flame flamingo flannel flask fleet
flint flock floor flower flute foam folder forest fort fortress forum fossil fountain fox foxglove
freckle freezer frog frost fruit furnace galaxy gallery garden gardener garlic garnet gate gazebo
gazelle gecko gem general geyser giant giraffe glacier gladiola glass globe glue gold gondola
goose gorge gorilla grain granite grape gravel grill grove guitar gull gymnast habit hail hallway
hammer hammock hamster hand handball hardware hare harvest hat haven hawk hazel hazelnut heart
hedgehog heirloom helmet hemlock herb heron hibiscus highland hill hinge hippo hive hobby hollow
holly honey hood horizon horn horse hotel hour hydrant hyena ice iceberg icicle igloo incense
indigo ink insect iris iron island ivory ivy jackal jacket jackpot jade jaguar jam jasmine javelin
jeans jelly jewel jigsaw journal journey judge jug juice jungle juniper jury kangaroo kayak kelp
kennel kettle key keyboard kilogram kingdom kiosk kitchen kite kitten kiwi knee knight koala label
lace lacquer ladder lady ladybug lagoon lamb lantern lapis lapwing lark laser latch laurel lava
lavender leaf leaflet legend lemon lemonade lens lentil leopard letter lettuce lever library
lichen lid light lilac lily lime linen lion lipstick lizard llama lobster locker lodge loft loom
lotus lullaby lumber lunch lynx lyre machine mackerel magazine magnet magnolia magpie mallet
mammoth mandarin mandolin mango mantle maple marble margin marigold market marmot marsh mask
mattress meadow meal medicine meerkat melody melon menu merchant mercury merlin meteor midnight
mile minister mint mirror model moment month monument moon morning mosaic moss motor mouse mud
muffin mulberry museum mushroom music myrtle name napkin narwhal nation nature navy nectar needle
neighbor nest nickel noodle north nose notebook novel nurse nursery nut nutmeg nutshell oak oasis
oatmeal oats obelisk ocean octave octopus office oil olive omelet onion onyx opal opera orange
orbit orchard orchid oregano organ origami osprey ostrich otter outback oven overcoat oxygen
oyster paddle page pagoda paint palace palm pancake panda panel panther pantry papaya paper
paprika parade parcel parsley party pasta patio pattern pavilion pea peacock peanut pearl pebble
pecan pedal pelican pencil pendulum penguin penny pepper perch petunia pheasant piano pickle
picnic pier pigeon pillow pilot pin pinecone pipe pirate pitcher pizza planet plank plate plateau
platform platypus plum pocket poem polar polecat pond popcorn poppy portrait postcard postman pot
potato pottery powder prairie primrose prince printer prism pulley pullover pump pumpkin puppet
pushcart puzzle pyramid quail quarry quarter quartz queen quill quince quiver rabbit raccoon radar
radio radish raft rainbow rainfall raisin rattle ray recipe record reed reindeer resin rhino
rhubarb rhythm ribbon ring ripple road robe robin robot roof rosemary rowan rubber ruby rucksack
rudder ruler rye saffron sailboat sailor salad salmon salt sandal sandwich sapphire sardine
satchel satin sauce sauna scale scarf school scissors scooter score screen screw scroll seagull
seahorse seashell season seat secret sequoia shadow shark shawl sheep shelf shepherd sheriff
shield shirt shoe shoelace shovel shower shrub shutter shuttle signal silk silver siren sister
skate skeleton sketch ski skylight sled sleeve slipper slope smoke snail snow snowdrop soap soccer
sock soda soldier sombrero song sorrel south spade sparrow spear sphere spice spider spinach
spiral splash spoon spring spruce square squash squid squirrel stable stage stairs stamp star
starfish station statue steam steel step stone stool stork straw street studio sugar suit sultan
summer summit sun sundial sunset supper surf swallow swan sweater switch sword syrup talon tank
tape tapestry target tassel tavern teacher teapot teaspoon teddy temple tennis tent terrace
terrier theater thermos thicket thimble thistle thread throne thumb thunder thyme tide tiger
timber toboggan tomato tongue toolbox topaz torch tornado tortoise toucan towel town toy tractor
trail trapeze treasure tree triangle trolley trombone trophy trout truck truffle trumpet tugboat
tulip tuna tundra tunnel turban turmeric turnip turtle tweed twig umbrella uncle unicorn uniform
urchin valve vanilla vapor vase vault velvet veranda verse vessel viaduct village vine vinegar
vineyard violet violin visitor voice volcano voyage vulture wafer waffle wagon waist walnut walrus
warbler wardrobe wasp wave wax week weekend wetland whale wheat wheel whisker wicker wind windmill
window winter wisdom wolf wombat wonder woodland wool workshop world wreath wren writer yacht yard
yogurt yolk zebra zenith zephyr zeppelin zigzag zinc zipper zone zoo zucchini
`;

const WORDS = LIST.trim().split(/\s+/);
const BITS = 10;
const IN_ALL = 6;

/** Six words for the first sixty bits of a hash in hexadecimal digits. */
export function fingerprint(hash) {
  const number = BigInt(`0x${hash.slice(0, 15)}`);
  const places = Array.from({ length: IN_ALL }, (_, i) => BigInt(BITS * (IN_ALL - 1 - i)));
  return places.map((place) => WORDS[Number((number >> place) & 1023n)]).join(" ");
}
